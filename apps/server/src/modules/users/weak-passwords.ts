import { createHash } from 'node:crypto'

/** Passwords that guessers try first, here and elsewhere, and the demo's, which everybody can read. */
const common: readonly string[] = [
  ...[
    'isotherm-demo',
    'isotherm',
    'password',
    'Password',
    'password1',
    'Password1',
    'Password123',
    'passw0rd',
  ],
  ...[
    'P@ssw0rd',
    'P@ssword',
    'p@ssw0rd',
    'admin',
    'admin123',
    'Admin123',
    'Admin@123',
    'admin888',
    'administrator',
  ],
  ...[
    'root',
    'root123',
    'toor',
    'test',
    'test123',
    'guest',
    'user',
    'user123',
    'demo',
    'default',
    'changeme',
  ],
  ...[
    'welcome',
    'Welcome1',
    'letmein',
    'qwerty',
    'qwerty123',
    'qwertyuiop',
    'qazwsx',
    'qazwsxedc',
    '1qaz2wsx',
  ],
  ...[
    '1q2w3e',
    '1q2w3e4r',
    '1q2w3e4r5t',
    'q1w2e3r4',
    'asdfghjkl',
    'zxcvbnm',
    'abc123',
    'abcd1234',
    'Abcd1234',
  ],
  ...[
    'a123456',
    'a1234567',
    'a12345678',
    'a123456789',
    'aa123456',
    'Aa123456',
    'aa12345678',
    'q123456',
    'qq123456',
  ],
  ...[
    '123',
    '1234',
    '12345',
    '123456',
    '1234567',
    '12345678',
    '123456789',
    '1234567890',
    '12345678910',
    '0123456789',
  ],
  ...[
    '987654321',
    '87654321',
    '654321',
    '123123',
    '123321',
    '112233',
    '121212',
    '123654',
    '147258',
    '147258369',
  ],
  ...[
    '159357',
    '789456',
    '456789',
    '741852963',
    '000000',
    '00000000',
    '111111',
    '11111111',
    '1111111111',
    '222222',
  ],
  ...[
    '333333',
    '555555',
    '666666',
    '66666666',
    '777777',
    '888888',
    '88888888',
    '999999',
    '123456a',
    '123456aa',
  ],
  ...[
    '123456789a',
    '123qwe',
    '123abc',
    '123456abc',
    '5201314',
    '520520',
    '1314520',
    'woaini',
    'woaini1314',
    'iloveyou',
  ],
  ...['monkey', 'dragon', 'sunshine', 'princess', 'football', 'superman', 'master', 'secret', ''],
]

const endings: readonly string[] = [
  '',
  '1',
  '12',
  '123',
  '1234',
  '12345',
  '123456',
  '888',
  '666',
  '000',
  '@123',
  '!',
  '.',
]

const toHash = (password: string): string => createHash('sha256').update(password).digest('hex')

const commonHashes: ReadonlySet<string> = new Set(common.map(toHash))

/**
 * Whether what a client sent for a password is the hash of one that is guessed at once: a common one, or the
 * account's name with little added. More cannot be seen through a hash.
 */
export function isWeakPassword(account: string, clientHash: string): boolean {
  if (commonHashes.has(clientHash)) return true
  const names = [account, account.toLowerCase(), account.toUpperCase(), account + account]
  return names.some((name) => endings.some((ending) => toHash(name + ending) === clientHash))
}
