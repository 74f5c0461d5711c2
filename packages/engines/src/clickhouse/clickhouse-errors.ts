/** An error in the form of ClickHouse's HTTP interface. */
export class ClickhouseFailure extends Error {
  override readonly name = 'ClickhouseFailure'
  readonly code: number
  readonly status: number

  constructor(code: number, type: string, text: string) {
    super(`Code: ${code}. DB::Exception: ${text} (${type})`)
    this.code = code
    this.status = statusOf(code)
  }
}

// The groups of ClickHouse's own HTTP handler (src/Server/HTTP/exceptionCodeToHTTPStatus.cpp).
const badRequest = [6, 26, 27, 38, 41, 43, 44, 53, 62, 69, 72, 117, 130, 167, 168, 223, 456, 457]
const notFound = [46, 47, 50, 56, 60, 63, 73, 81, 115, 152, 336]
const forbidden = [192, 193, 511, 516]

function statusOf(code: number): number {
  if (badRequest.includes(code)) return 400
  if (notFound.includes(code)) return 404
  if (forbidden.includes(code)) return 403
  if (code === 194) return 401
  if (code === 48) return 501
  if (code === 159) return 408
  return 500
}

/** Converts an error of the engine, with its code, or 1001 (unknown) if it has none. */
export function toClickhouseFailure(error: unknown): ClickhouseFailure {
  if (error instanceof ClickhouseFailure) return error
  const text = error instanceof Error ? error.message : String(error)
  const match = /Code: (\d+)\. DB::Exception: ([\s\S]*?)\s*\(([A-Z][A-Z0-9_]{2,})\)\s*$/.exec(text)
  if (!match) return new ClickhouseFailure(1001, 'STD_EXCEPTION', text)
  const [, code = '1001', message = text, type = 'STD_EXCEPTION'] = match
  return new ClickhouseFailure(Number(code), type, message)
}
