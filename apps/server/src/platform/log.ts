import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from './config.ts'

/** The server's log. JSON lines; `log.child({ module })` names who speaks. */
export type Log = Logger

// Every repetition before what makes a match is bounded: a caller's long path must not cost quadratic time.
const SECRET_FIELD =
  /"([^"]{0,64}(?:token|password|secret|authorization|cookie)[^"]{0,64})":(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\}|\[[^[\]]*\])/gi
const SECRET_PARAMETER = /([?&;\s][\w-]{0,32}(?:token|password|secret|key)=)[^&\s"\\]+/gi
const BEARER = /\b(Bearer\s+)[^\s"\\]+/gi
const URL_CREDENTIALS = /\b([a-z][a-z0-9+.-]{0,15}:\/\/)[^/\s"@]{1,512}@/gi

/**
 * A log line without secrets: values of fields, URL parameters and headers that carry one are replaced.
 * It works on the finished line, so that it also holds for texts of libraries' errors.
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
