import type { Endpoint } from '@isotherm/contract/endpoint'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'
import { type CallPorts, readJson, toRequest } from './create-call.ts'
import { unwrap } from './unwrap.ts'

/** A file the server made, with the name it gave it. */
export interface DownloadedFile {
  readonly name: string
  readonly content: Blob
}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  /** Told of the bytes that are here so far. */
  readonly onBytes?: (bytes: number) => void
}

export type Download = <Input extends z.ZodType>(
  endpoint: Endpoint<Input, z.ZodType>,
  input: z.input<Input>,
  options?: DownloadOptions,
) => Promise<DownloadedFile>

const NAME = /filename\*=UTF-8''(?<name>[^;]+)/

/** The name a Content-Disposition gives; nothing when it gives none that can be read. */
function findName(disposition: string | null): string | undefined {
  const name = NAME.exec(disposition ?? '')?.groups?.name
  try {
    return name === undefined ? undefined : decodeURIComponent(name)
  } catch {
    return undefined
  }
}

/** The body in pieces as they come. It has no time-out: a long file takes as long as the line needs. */
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
 * Makes the function that gets files. It throws ApiError as a call does, also when the line breaks before the end:
 * half a file is none; an abort is thrown as it is.
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
      const response = await ports.fetch(url, { method: endpoint.method, headers, body, signal })
      const name = findName(response.headers.get('content-disposition'))
      if (name !== undefined)
        return { name, content: await readContent(response, options.onBytes ?? (() => {})) }
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
