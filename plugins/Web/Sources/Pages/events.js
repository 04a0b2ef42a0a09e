// Server-Sent Events as text in, events out (HTML Standard, "Parsing an event stream").

export class EventParser {
  #rest = "";
  #event = { type: "", data: [] };

  /** The events that a piece of text completes; comments are none. */
  push(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.map((line) => this.#read(line)).filter(Boolean);
  }

  #read(line) {
    if (line === "") return this.#end();
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (field === "event") this.#event.type = value;
    if (field === "data") this.#event.data.push(value);
  }

  #end() {
    const { type, data } = this.#event;
    this.#event = { type: "", data: [] };
    return data.length ? { type: type || "message", data: data.join("\n") } : null;
  }
}
