import type { IncomingMessage } from 'node:http'

/** The body of a request to a small server of a test, or undefined if its sender left before the end. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
  } catch {
    return undefined
  }
  return request.complete ? Buffer.concat(chunks).toString() : undefined
}
