/** User name and password of a gateway. */
export interface GatewayLogin {
  readonly username: string
  readonly password: string
}

/** Places of the columns in the list of passwords that the console exports. Its head is in the language of the user. */
const USERNAME = 2
const PASSWORD = 4
const NAME = /^[A-Za-z0-9_.-]{1,64}\/[A-Za-z0-9_.-]{1,64}$/

/** The cells of a line; a quoted cell may have commas and doubled quotes, but no line end. */
const toCells = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  )

/** Logins of a file that the console exported. Lines without a user name and password are left out, as its head is. */
export function readLogins(csv: string): readonly GatewayLogin[] {
  return csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map(toCells)
    .flatMap((cells) => {
      const [username = '', password = ''] = [cells[USERNAME], cells[PASSWORD]]
      return NAME.test(username) && password !== '' ? [{ username, password }] : []
    })
}
