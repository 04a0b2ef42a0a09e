// Requests to the gateway, with the token of the page's address.

const tokenKey = "token";

/** The token: moved from the visible address into the storage of this tab. */
const token = takeToken();

function takeToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get(tokenKey);
  if (given) {
    sessionStorage.setItem(tokenKey, given);
    address.searchParams.delete(tokenKey);
    history.replaceState(history.state, "", address);
  }
  return sessionStorage.getItem(tokenKey);
}

/** An error that the gateway answers (RFC 9457), or a gateway that does not answer. */
export class Problem extends Error {
  constructor(status, { title, detail, code } = {}) {
    super(detail ?? title ?? `HTTP ${status}`);
    this.status = status; // 0: no answer
    this.code = code;
  }
}

/** Sends a request; the response is good, or a Problem is thrown. */
export async function open(path, options = {}) {
  const headers = { ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options, headers });
  } catch (error) {
    throw new Problem(0, { detail: error.message });
  }
  if (response.ok) return response;
  throw new Problem(response.status, await response.json().catch(() => ({})));
}

/** The JSON answer to GET. */
export async function get(path) {
  return (await open(path)).json();
}

/** The JSON answer to POST. */
export async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await open(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}
