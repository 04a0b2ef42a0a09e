/// The tests of a program.
enum ProgramTestTemplate {
    /// The test script of a program with this name.
    static func tests(of program: String) -> String {
        #"""
        #!/usr/bin/env python3
        """Tests \#(program).py with its functions, and as the gateway runs it, on a pseudo-terminal."""

        import json
        import os
        import pty
        import subprocess
        import sys
        import tty
        import unittest

        import \#(program) as program

        FOLDER = os.path.dirname(os.path.abspath(__file__))


        class LineTests(unittest.TestCase):
            def test_steps_are_a_counter(self):
                self.assertEqual(
                    program.reading(b"steps=1200"),
                    {"reading": "counter", "type": "stepCount", "value": 1200})

            def test_other_lines_are_discarded(self):
                for line, reason in [
                    (b"", "unknown"), (b"hello", "unknown"), (b"steps=", "invalid"), (b"steps=-1", "invalid"),
                    (b"steps=1e3", "invalid"), (b"steps=1234567890", "invalid"), (b"\xff\x00", "unknown"),
                ]:
                    self.assertEqual(program.reading(line), {"discarded": reason}, line)

            def test_a_stream_may_be_cut_anywhere(self):
                stream = b"steps=1\r\nsteps=2\n" + b"x" * 500 + b"\nsteps=3\n"
                expected = [b"steps=1", b"steps=2", None, b"steps=3"]
                for size in range(1, len(stream) + 1):
                    lines = program.Lines()
                    pieces = [stream[i:i + size] for i in range(0, len(stream), size)]
                    found = [line for piece in pieces for line in lines.split(piece)]
                    self.assertEqual(found, expected, size)

            def test_a_line_without_an_end_is_not_remembered(self):
                lines = program.Lines()
                for _ in range(100):
                    self.assertEqual(list(lines.split(b"x" * 1000)), [])
                    self.assertLessEqual(len(lines.rest), program.LONGEST_LINE)


        class ProgramTests(unittest.TestCase):
            def start(self, path):
                return subprocess.Popen(
                    [sys.executable, os.path.join(FOLDER, "\#(program).py"), path],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

            def test_it_prints_readings_until_its_input_is_closed(self):
                device, port = pty.openpty()
                tty.setraw(port)
                with self.start(os.ttyname(port)) as process:
                    self.assertEqual(json.loads(process.stdout.readline())["reading"], "identity")
                    os.write(device, b"steps=1200\r\nsteps=")
                    self.assertEqual(json.loads(process.stdout.readline())["value"], 1200)
                    os.write(device, b"1203\r\n")
                    self.assertEqual(json.loads(process.stdout.readline())["value"], 1203)
                    process.stdin.close()
                    self.assertEqual(process.wait(), 0)
                os.close(device)
                os.close(port)

            def test_a_missing_device_is_named(self):
                with self.start("/nowhere") as process:
                    self.assertEqual(process.wait(), 1)
                    self.assertIn(b"/nowhere: ", process.stderr.read())


        if __name__ == "__main__":
            sys.dont_write_bytecode = True
            unittest.main()

        """#
    }
}
