import { type BrokerLogin, brokerLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'

/** User name and password of a gateway. */
export interface GatewayLogin {
  readonly username: string
  readonly password: string
}

/** Places of the columns in the list of passwords that the console exports. Its head is in the language of the user. */
const USERNAME = 2
const PASSWORD = 4
const NAME = /^[A-Za-z0-9_.-]{1,64}\/[A-Za-z0-9_.-]{1,64}$/

/** What the console writes before a text that a spreadsheet would calculate. */
const PROTECTION = /^'(?=[=+\-@\t\r])/

/** The cells of a line; a quoted cell may have commas and doubled quotes, but no line end. */
const toCells = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain = '']) =>
    (quoted === undefined ? plain : quoted.replaceAll('""', '"')).replace(PROTECTION, ''),
  )

const toLines = (csv: string): readonly (readonly string[])[] =>
  csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(toCells)

/**
 * Logins of a file of passwords that the console exported. Lines without a password are left out: the head, and gateways
 * whose password was shown before.
 */
export function readLogins(csv: string): readonly GatewayLogin[] {
  return toLines(csv).flatMap((cells) => {
    const [username = '', password = ''] = [cells[USERNAME], cells[PASSWORD]]
    return NAME.test(username) && password !== '' ? [{ username, password }] : []
  })
}

/** A line of the file that has no whole hashes, for example after a spreadsheet changed it. */
export class BrokenLine extends Error {
  override readonly name = 'BrokenLine'
}

/**
 * Hashes of a file that the console exported for an external broker, without its head. Throws `BrokenLine` if a line has not all
 * hashes in their form: a gateway that is left out could not sign in.
 */
export function readBrokerLogins(csv: string): readonly BrokerLogin[] {
  const [, ...lines] = toLines(csv)
  return lines.flatMap((cells, index) => {
    const [username = '', mosquitto, emqxHash, emqxSalt, rabbitmq] = cells
    if (cells.every((cell) => cell === '')) return []
    const login = brokerLogin.safeParse({ username, mosquitto, emqxHash, emqxSalt, rabbitmq })
    if (login.success) return [login.data]
    const wrong = login.error.issues.map(({ path }) => path.join('.'))
    throw new BrokenLine(`line ${index + 2} (${username}): not as exported: ${wrong.join(', ')}`)
  })
}
