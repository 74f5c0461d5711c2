import type { Endpoint } from '@isotherm/contract/endpoint'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'
import { type CallPorts, readJson, toRequest } from './create-call.ts'
import { unwrap } from './unwrap.ts'

/** A file of the server with its name. */
export interface DownloadedFile {
  readonly name: string
  readonly content: Blob
  /** Version of the file, for files that are read in parts. */
  readonly etag?: string | undefined
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  /** The part to download, bytes; default: the whole file. The answer is shorter if the file ends before. */
  readonly range?: { readonly offset: number; readonly length: number }
  /** Called with the number of bytes received so far. */
  readonly onBytes?: (bytes: number) => void
}

export type Download = <Input extends z.ZodType>(
  endpoint: Endpoint<Input, z.ZodType>,
  input: z.input<Input>,
  options?: DownloadOptions,
) => Promise<DownloadedFile>

const NAME = /filename\*=UTF-8''(?<name>[^;]+)/

/** File name of a Content-Disposition header; undefined if it has none or cannot be read. */
function findName(disposition: string | null): string | undefined {
  const name = NAME.exec(disposition ?? '')?.groups?.name
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/** Reads the body in pieces, without a timeout: the duration depends on file and connection. */
async function readContent(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    pieces.push(piece.value)
    bytes += piece.value.byteLength
    onBytes(bytes)
  }
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' })
}

/**
 * Creates the function for downloads. It throws ApiError like a call, also if the connection ends before the file is
 * complete. An abort is thrown unchanged.
 */
export function createDownload(
  ports: Pick<CallPorts, 'fetch' | 'findToken' | 'language' | 'describe' | 'recoverSession'>,
): Download {
  async function get(
    endpoint: Endpoint,
    input: unknown,
    token: string | undefined,
    options: DownloadOptions,
  ): Promise<DownloadedFile> {
    const { url, headers, body } = toRequest(endpoint, input, token, ports.language())
    try {
      const signal = options.signal ?? null
      const { range } = options
      if (range) headers.Range = `bytes=${range.offset}-${range.offset + range.length - 1}`
      // With a stored part the browser adds If-Range, and the answer for a replaced file is then the whole of it.
      const cache = range ? 'no-store' : 'default'
      const response = await ports.fetch(url, { method: endpoint.method, headers, body, signal, cache })
      const name = findName(response.headers.get('content-disposition'))
      if (name !== undefined)
        return {
          name,
          content: await readContent(response, options.onBytes ?? (() => {})),
          etag: response.headers.get('etag') ?? undefined,
        }
      unwrap(endpoint, readJson(await response.text()))
    } catch (cause) {
      if (cause instanceof ApiError || options.signal?.aborted) throw cause
      throw new ApiError('network.failed', ports.describe('network.failed', 0), {}, { cause })
    }
    throw new ApiError('response.malformed', ports.describe('response.malformed', 0))
  }

  return async (endpoint, input, options = {}) => {
    const usedToken = ports.findToken(endpoint.backend)
    try {
      return await get(endpoint, input, usedToken, options)
    } catch (error) {
      const expired = error instanceof ApiError && error.code === 'session.expired'
      if (!expired || !(await ports.recoverSession(usedToken))) throw error
      return get(endpoint, input, ports.findToken(endpoint.backend), options)
    }
  }
}
