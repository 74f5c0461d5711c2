import { isLengthExempt, isPurePackage, isTest, toProjectPart } from './project-parts.ts'
import { type MaskedSource, toLine } from './source-text.ts'
import type { Rule, Violation } from './violation.ts'

const MAX_LINES = 400

/** Reading the time or waiting for it. */
const CLOCK =
  /\b(?:Date\.now|performance\.now|process\.hrtime|Temporal\.Now|(?<!\.)setTimeout|(?<!\.)setInterval)\b|\bnew Date\(\s*\)/g
const ENVIRONMENT = /\bprocess\.env\b/g
const IMPURE =
  /\bMath\.random\b|\bcrypto\.(?:getRandomValues|randomUUID)\b|\b(?:process|console)\.\w+|(?<![.\w])fetch\(|\bglobalThis\.\w+/g
const SUPPRESSION =
  /@ts-(?:ignore|nocheck)|biome-ignore lint\/(?:suspicious\/noExplicitAny|style\/noNonNullAssertion)/g
/** Running a text as code or as a command of the system, reading it as HTML, and messages between windows. */
const UNSAFE =
  /(?<![.\w])eval\(|\bnew Function\b|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\.write\w*\b|\bdangerouslySetInnerHTML\b|\bshell: *true\b|\bexecSync\b|(?<![.\w])exec\(|(?<!parentPort\??\.)\bpostMessage\b/g
/** Names of broken hashes, ciphers and modes, and the padding of RSA that leaks. */
const WEAK =
  /(['"`])(?:md[245]|(?:rsa-|md5-)?sha-?1|rsa-md5|ripemd(?:160)?|rmd160|aes(?:128|192|256)|rc[24](?:-\d+)?|des(?:-?ede)?3?(?:-\w+)?|bf-\w+|[\w-]+-(?:ecb|cbc))\1|\bRSA_PKCS1_PADDING\b/gi
/** What platforms of mobile operators prescribe (ADR 106). */
const PRESCRIBED = 'apps/gateway/src/drivers/northbound-http/signatures.ts'
/** Folders that exist on one machine only. The text is joined from pieces so that this line does not match itself. */
const MACHINE_PATH = new RegExp(
  `(?<![\\w.:/$})~-])/(?:${['home', 'Users', 'root', 'work', 'tmp'].join('|')})/[\\w.-]+`,
  'g',
)

const isPlatform = (file: string, name: string): boolean =>
  new RegExp(`^apps/server/src/platform/${name}(?:\\.ts$|/)`).test(file)

interface TextRule {
  readonly rule: Rule
  readonly pattern: RegExp
  readonly in: 'code' | 'everything'
  appliesTo(file: string): boolean
}

const isServer = (file: string): boolean => toProjectPart(file).kind === 'server' && !isTest(file)
const isPure = (file: string): boolean => {
  const part = toProjectPart(file)
  return part.kind === 'package' && isPurePackage(part.name) && !isTest(file)
}
/** Sources of apps and packages, which people run. */
const isShipped = (file: string): boolean => /^(?:apps|packages)\//.test(file) && !isTest(file)
const always = (): boolean => true

const textRules: readonly TextRule[] = [
  {
    rule: 'clock',
    pattern: CLOCK,
    in: 'code',
    appliesTo: (file) => isServer(file) && !isPlatform(file, 'clock'),
  },
  {
    rule: 'environment',
    pattern: ENVIRONMENT,
    in: 'code',
    appliesTo: (file) => isServer(file) && !isPlatform(file, 'config'),
  },
  { rule: 'pure', pattern: CLOCK, in: 'code', appliesTo: isPure },
  { rule: 'pure', pattern: IMPURE, in: 'code', appliesTo: isPure },
  { rule: 'unsafe-code', pattern: UNSAFE, in: 'code', appliesTo: isShipped },
  {
    rule: 'weak-cryptography',
    pattern: WEAK,
    in: 'everything',
    appliesTo: (file) => isShipped(file) && file !== PRESCRIBED,
  },
  { rule: 'suppression', pattern: SUPPRESSION, in: 'everything', appliesTo: always },
  { rule: 'machine-path', pattern: MACHINE_PATH, in: 'everything', appliesTo: always },
]

/** Violations by the text of one source file. */
export function checkText(file: string, text: string, { codeOnly }: MaskedSource): readonly Violation[] {
  return textRules
    .filter((rule) => rule.appliesTo(file))
    .flatMap(({ rule, pattern, in: where }) =>
      [...(where === 'code' ? codeOnly : text).matchAll(pattern)].map((match) => ({
        file,
        line: toLine(text, match.index),
        rule,
        found: match[0],
      })),
    )
}

/** Machine paths in files that are not TypeScript: documents, scripts, configuration. */
export const checkPlainText = (file: string, text: string): readonly Violation[] =>
  [...text.matchAll(MACHINE_PATH)].map((match) => ({
    file,
    line: toLine(text, match.index),
    rule: 'machine-path' as const,
    found: match[0],
  }))

const MODULE_INDEX = /^apps\/server\/src\/modules\/[^/]+\/index\.ts$/

/** Names of files that only re-export other files. */
export function checkName(file: string): readonly Violation[] {
  const isIndex = /(?:^|\/)index\.tsx?$/.test(file) && !MODULE_INDEX.test(file)
  return isIndex ? [{ file, line: 1, rule: 'barrel', found: 'index file' }] : []
}

/** A page fetches and arranges. Its columns, forms and parts are files of their own. */
const PAGE = /^apps\/console\/src\/.*-page\.tsx$/
const MAX_PAGE_LINES = 150

export function checkLength(file: string, text: string): readonly Violation[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  const most = PAGE.test(file) ? MAX_PAGE_LINES : MAX_LINES
  if (lines <= most || isTest(file) || isLengthExempt(file)) return []
  return [{ file, line: most + 1, rule: 'length', found: `${lines} lines` }]
}
