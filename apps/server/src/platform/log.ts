import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import type { Config } from './config.ts'

/** The server's log. JSON lines; `log.child({ module })` names who speaks. */
export type Log = Logger

const SECRET_FIELD =
  /"([^"]*(?:token|password|secret|authorization|cookie)[^"]*)":(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\}|\[[^[\]]*\])/gi
const SECRET_PARAMETER = /([?&;\s](?:token|password|secret)=)[^&\s"\\]+/gi
const BEARER = /\b(Bearer\s+)[^\s"\\]+/gi
const URL_CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)[^/\s"@]+@/gi

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
