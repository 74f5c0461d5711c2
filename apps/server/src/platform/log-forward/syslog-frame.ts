import { hostname } from 'node:os'

/** Facility "local use 0" of RFC 5424. */
const FACILITY = 16
/** Severities of RFC 5424 by the levels of our log. */
const severities: Readonly<Record<string, number>> = {
  fatal: 2,
  error: 3,
  warn: 4,
  info: 6,
  debug: 7,
  trace: 7,
}
const LEVEL = /^\{"level":"(\w+)"/

/** A line of the log as a message of RFC 5424, with its length in front as RFC 5425 demands. */
export function toSyslogFrame(line: string, now: number): Buffer {
  const severity = severities[LEVEL.exec(line)?.[1] ?? 'info'] ?? severities.info
  const time = new Date(now).toISOString()
  const head = `<${8 * FACILITY + Number(severity)}>1 ${time} ${hostname()} isotherm ${process.pid} - - `
  const message = Buffer.from(`${head}${line.trimEnd()}`)
  return Buffer.concat([Buffer.from(`${message.length} `), message])
}
