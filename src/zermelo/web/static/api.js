// Requests to the server, with progress; an aborted request ends its work there.

/** An error that the server has explained. */
export class ServerError extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

/** The interface of a server: get(path, parameters, options), post(path, data, options).
 *  Options: signal, an AbortSignal, and progress, a function of {done, total, stage}. */
export class Api {
  constructor(base = "/api/v1") {
    this.base = base;
  }

  get(path, parameters = {}, options = {}) {
    const given = Object.entries(parameters).filter(([, x]) => x !== undefined && x !== null);
    const query = new URLSearchParams(given).toString();
    return this.#send(this.base + path + (query ? "?" + query : ""), {}, options);
  }

  post(path, data = {}, options = {}) {
    const body = JSON.stringify(data);
    const headers = { "Content-Type": "application/json" };
    return this.#send(this.base + path, { method: "POST", body, headers }, options);
  }

  async #send(url, request, { signal, progress } = {}) {
    const headers = { Accept: "application/x-ndjson", ...request.headers };
    let response;
    try {
      response = await fetch(url, { ...request, headers, signal });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new ServerError("gone", "The server does not answer. Is it still running?");
    }
    if (!(response.headers.get("content-type") ?? "").startsWith("application/x-ndjson")) {
      const found = await response.json().catch(() => null);
      if (response.ok) return found;
      throw new ServerError(found?.error?.kind ?? "gone", found?.error?.message ?? response.statusText);
    }
    for await (const line of lines(response.body)) {
      const message = JSON.parse(line);
      if (message.progress) progress?.(message.progress);
      else if (message.error) throw new ServerError(message.error.kind, message.error.message);
      else return message.answer;
    }
    throw new ServerError("gone", "The server ended the answer too early.");
  }
}

async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    rest += value;
    let end;
    while ((end = rest.indexOf("\n")) >= 0) {
      yield rest.slice(0, end);
      rest = rest.slice(end + 1);
    }
  }
  if (rest) yield rest;
}
