import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ForecastError } from './parse-forecast.ts'

const TIMEOUT_MS = 8_000
/** Sixteen days by hour with all variables are 0.2 MB. */
const MAX_BYTES = 1_000_000

const tooLong = (): Error => new ForecastError(`it is longer than ${MAX_BYTES} bytes`)

async function readFile(url: URL): Promise<string> {
  const file = await open(fileURLToPath(url))
  try {
    // A device or a pipe could be read for ever.
    if (!(await file.stat()).isFile()) throw new ForecastError('it is not a file')
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES + 1))
    if (bytesRead > MAX_BYTES) throw tooLong()
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readAnswer(url: URL): Promise<string> {
  // Only the configured host is read.
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel()
    throw new ForecastError(
      `the address leads to another one (status ${response.status}): set the final address`,
    )
  }
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > MAX_BYTES) throw tooLong()
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  if (!response.ok) throw new ForecastError(`status ${response.status}: ${text.slice(0, 200)}`)
  return text
}

/** Reads JSON from an http, https or file URL. Throws ForecastError or an error of the network or the file system. */
export async function readSource(url: string): Promise<unknown> {
  const parsed = new URL(url)
  const text = await (parsed.protocol === 'file:' ? readFile(parsed) : readAnswer(parsed))
  try {
    return JSON.parse(text)
  } catch {
    throw new ForecastError('it is not JSON')
  }
}
