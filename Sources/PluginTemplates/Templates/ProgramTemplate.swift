/// A program that reads a step counter and prints readings, for a source `exec`.
struct ProgramTemplate {
    let plugin: NewPlugin
    private let program: String

    init(_ plugin: NewPlugin) {
        self.plugin = plugin
        program = plugin.name.snakeCase
    }

    private var name: String { plugin.name.module }
    private var use: String { plugin.name.use }

    var files: [TemplateFile] {
        [
            TemplateFile("README.md", readme),
            TemplateFile("sample.json5", sample),
            TemplateFile("\(program).py", script, isExecutable: true),
            TemplateFile(
                "test_\(program).py", ProgramTestTemplate.tests(of: program), isExecutable: true),
        ]
    }

    private var sample: String {
        """
        {
          sources: {
            \(use): {
              use: "exec",
              command: ["python3", "/usr/local/lib/pulsegate/\(program).py", "/dev/ttyACM0"],
            },
          },
          sinks: {
            store: { use: "sqlite" },
          },
        }

        """
    }

    private var script: String {
        #"""
        #!/usr/bin/env python3
        """Reads a step counter that prints lines such as `steps=1200` on a serial port.

            sources: { \#(use): { use: "exec", command: ["python3", "/path/\#(program).py", "/dev/ttyACM0"] } }

        It prints readings as lines of JSON, of which the gateway makes samples. Nothing has to be installed.
        """

        import json
        import os
        import selectors
        import sys
        import termios
        import tty

        LONGEST_LINE = 200
        LONGEST_NUMBER = 9


        def reading(line):
            """The reading of a line, or what is wrong with it."""
            word, _, number = line.partition(b"=")
            if word != b"steps":
                return {"discarded": "unknown"}
            if not number.isdigit() or len(number) > LONGEST_NUMBER:
                return {"discarded": "invalid"}
            return {"reading": "counter", "type": "stepCount", "value": int(number)}


        class Lines:
            """Splits a stream that may be cut anywhere into lines; remembers half a line at most."""

            def __init__(self):
                self.rest = b""
                self.is_too_long = False

            def split(self, data):
                """Yields whole lines, and None for a line that is too long."""
                *ends, rest = (self.rest + data).split(b"\n")
                for line in ends:
                    if self.is_too_long or len(line) > LONGEST_LINE:
                        yield None
                    else:
                        yield line.rstrip(b"\r")
                    self.is_too_long = False
                self.is_too_long = self.is_too_long or len(rest) > LONGEST_LINE
                self.rest = b"" if self.is_too_long else rest


        def send(message):
            print(json.dumps(message), flush=True)


        def main(path):
            device = os.open(path, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            if os.isatty(device):
                # A port of USB (ttyACM) has no speed; for another one set it here with `termios`.
                tty.setraw(device, termios.TCSANOW)
            send({"reading": "identity", "manufacturer": "Acme", "model": "\#(name)"})
            selector = selectors.DefaultSelector()
            selector.register(device, selectors.EVENT_READ)
            selector.register(sys.stdin, selectors.EVENT_READ)
            lines = Lines()
            while True:
                ready = [key.fileobj for key, _ in selector.select()]
                # The gateway closes the standard input when the program is to end.
                if sys.stdin in ready and not os.read(sys.stdin.fileno(), 4096):
                    return
                if device in ready:
                    data = os.read(device, 4096)
                    if not data:
                        sys.exit(f"{path}: the device has gone")
                    for line in lines.split(data):
                        send({"discarded": "tooLong"} if line is None else reading(line))


        if __name__ == "__main__":
            try:
                main(sys.argv[1])
            except OSError as error:
                # It is logged, and the gateway starts the program again later.
                sys.exit(f"{sys.argv[1]}: {error.strerror}")

        """#
    }

    private var readme: String {
        """
        # \(name)

        A program that reads a step counter on a serial port, and prints readings for the gateway. It is the example that
        `pulsegate new` writes: replace the lines and the readings by those of your device.

        ## Configuration

        [sample.json5](sample.json5) is a complete configuration:

        ```json5
        \(sample)```

        `command` is the program with its arguments, here the path of the device. Copy the program to a place that does not change:

        ```sh
        sudo install -D \(program).py /usr/local/lib/pulsegate/\(program).py
        ```

        ## Samples

        | sample | from |
        |---|---|
        | `stepCount`, `count` | the difference between two totals; the first total after a start makes none |

        The device prints `steps=1200` for a total of 1200 steps. Other lines are counted as `unknown`, a total that is no number as
        `invalid`, a line of more than 200 bytes as `tooLong`.

        ## Permissions

        Read and write access to the device: on Debian and Ubuntu run `sudo usermod -aG dialout $USER`, then log in again.

        ## Test

        ```sh
        python3 test_\(program).py
        ```

        The tests run the program on a pseudo-terminal in place of the device.

        """
    }
}
