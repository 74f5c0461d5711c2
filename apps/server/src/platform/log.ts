import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from './config.ts'

/** The server's log as JSON lines. `log.child({ module })` adds the name of the module. */
export type Log = Logger

// Every repetition has a bound, so that a long path in a request cannot cost quadratic time.
const SECRET_FIELD =
  /"([^"]{0,64}(?:token|password|secret|authorization|cookie)[^"]{0,64})":(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\}|\[[^[\]]*\])/gi
const SECRET_PARAMETER = /([?&;\s][\w-]{0,32}(?:token|password|secret|key)=)[^&\s"\\]+/gi
const BEARER = /\b(Bearer\s+)[^\s"\\]+/gi
const URL_CREDENTIALS = /\b([a-z][a-z0-9+.-]{0,15}:\/\/)[^/\s"@]{1,512}@/gi

/**
 * Replaces secrets in a log line: in fields, URL parameters and headers. Works on the finished line, so it also covers
 * the error texts of libraries.
 */
export const redact = (line: string): string =>
  line
    .replace(SECRET_FIELD, '"$1":"[secret]"')
    .replace(SECRET_PARAMETER, '$1[secret]')
    .replace(BEARER, '$1[secret]')
    .replace(URL_CREDENTIALS, '$1[secret]@')

export function createLog(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level: config.logLevel,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: redact },
  }
  return destination ? pino(options, destination) : pino(options)
}
