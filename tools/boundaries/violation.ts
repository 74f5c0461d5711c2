/** Every rule by name, with the instruction to fix a violation. */
export const rules = {
  'workspace-edge': 'reach another workspace only by @isotherm/<package>/<file>; apps are never imported',
  'package-imports': 'move the code to a part that may import both, or pass the value in',
  'console-direction': 'the direction is app -> features -> shared: move what both need to src/shared',
  'feature-to-feature': 'a feature never imports another: move what both need to src/shared',
  'server-direction': 'the direction is main -> modules -> platform: pass it in from main.ts',
  'module-interface': "use the other module only through its index.ts, the module's service interface",
  driver: 'only *.pg.ts, *.ch.ts and *.mqtt.ts touch a driver: move the query into such a file',
  environment: 'only platform/config reads the environment: add the value to the configuration schema',
  clock: 'only platform/clock reads the time or sets timers: take a Clock as a dependency',
  pure: 'a pure package has no I/O, clock, randomness or framework: pass the value in',
  barrel: 'import from the file itself; only a server module has an index.ts',
  suppression: 'fix the type instead of disabling the check',
  length:
    'split the file by topic (at most 400 lines, 150 for a page; contract, physics and locales may be longer)',
  'literal-spread': 'write the members without the spread, so that the compiler checks them',
  'folder-size': 'create sub-folders by topic (at most 25 source files in one folder)',
  'folder-order':
    'sub-folders import each other in one direction: move the file, or move the shared code below both',
  'retired-word': 'write the standard term (docs/domain/glossary.md)',
  'unsafe-code':
    'texts stay texts: set textContent or children, run programs by a list of words, never build code or HTML',
  'weak-cryptography':
    'use SHA-256 or better and AES-256-GCM; only the signatures that platforms of mobile operators prescribe are weaker',
  'machine-path': 'derive the path (import.meta.dirname, os.tmpdir()) or take it from the environment',
} as const

export type Rule = keyof typeof rules

export interface Violation {
  /** Relative to the root of the tree, with forward slashes. */
  readonly file: string
  readonly line: number
  readonly rule: Rule
  /** The finding in a few words. */
  readonly found: string
}

/** The text of a violation for developers: place, rule, finding and how to fix it. */
export const toMessage = ({ file, line, rule, found }: Violation): string =>
  `${file}:${line}  ${rule}: ${found}\n    ${rules[rule]}`
