import { type Endpoint, toUrlPath, WORKBOOK_TYPE } from '@isotherm/contract/endpoint'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'
import { type CallPorts, readJson } from './create-call.ts'
import { unwrap } from './unwrap.ts'

export type Upload = <Input extends z.ZodType, Output extends z.ZodType>(
  endpoint: Endpoint<Input, Output>,
  input: z.input<Input>,
  file: Blob,
  signal?: AbortSignal,
) => Promise<z.output<Output>>

/** The input of an upload in the query, because the body is the file. */
const toQuery = (input: unknown): string =>
  new URLSearchParams(
    Object.entries(input ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()

/**
 * Creates the function for uploads of workbooks. It throws ApiError like a call. There is no timeout: the duration depends
 * on file and connection. An abort is thrown unchanged.
 */
export function createUpload(
  ports: Pick<CallPorts, 'fetch' | 'findToken' | 'language' | 'describe' | 'recoverSession'>,
): Upload {
  async function send(
    endpoint: Endpoint,
    input: unknown,
    file: Blob,
    token: string | undefined,
    signal: AbortSignal | undefined,
  ) {
    const headers = {
      'Accept-Language': ports.language(),
      'Content-Type': WORKBOOK_TYPE,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    let text: string
    try {
      const url = `${toUrlPath(endpoint)}?${toQuery(input)}`
      const response = await ports.fetch(url, { method: 'POST', headers, body: file, signal: signal ?? null })
      text = await response.text()
    } catch (cause) {
      if (signal?.aborted) throw cause
      throw new ApiError('network.failed', ports.describe('network.failed', 0), {}, { cause })
    }
    return unwrap(endpoint, readJson(text))
  }

  return async (endpoint, input, file, signal) => {
    const usedToken = ports.findToken(endpoint.backend)
    const data = await send(endpoint, input, file, usedToken, signal).catch(async (error: unknown) => {
      const expired = error instanceof ApiError && error.code === 'session.expired'
      if (!expired || !(await ports.recoverSession(usedToken))) throw error
      return send(endpoint, input, file, ports.findToken(endpoint.backend), signal)
    })
    const output = endpoint.output.safeParse(data)
    if (output.success) return output.data
    const text = ports.describe('response.malformed', 0)
    throw new ApiError('response.malformed', text, {}, { cause: output.error })
  }
}
