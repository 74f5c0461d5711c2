import { expect, test } from 'vitest'
import { findPackageFaults, type Manifest } from './packages.ts'

const good = { version: '1.0.0', license: 'MIT', integrity: 'sha512-abc' }
const find = (given: object, manifest: Manifest = {}) =>
  findPackageFaults({ '': {}, 'node_modules/a/node_modules/@b/c': { ...good, ...given } }, [manifest])

test('a package with a free licence, a hash and an exact version is accepted', () => {
  expect(find({}, { dependencies: { a: '1.0.0', b: 'npm:@c/d@2.0.0' } })).toEqual([])
  expect(find({ license: '(MIT OR GPL-3.0-or-later)' })).toEqual([])
  expect(find({ license: 'MPL-2.0', dev: true })).toEqual([])
  expect(find({ resolved: 'https://registry.npmjs.org/@b/c/-/c-1.0.0.tgz' })).toEqual([])
  expect(find({ hasInstallScript: true }, { allowScripts: { '@b/c': true } })).toEqual([])
})

test.each([
  [{ license: 'GPL-3.0-only' }, '@b/c has the licence GPL-3.0-only'],
  [{ license: 'MIT AND SSPL-1.0' }, '@b/c has the licence MIT AND SSPL-1.0'],
  [{ license: 'MPL-2.0' }, '@b/c has the licence MPL-2.0'],
  [{ license: undefined, dev: true }, '@b/c has the licence of nobody'],
  [{ integrity: undefined }, '@b/c has no SHA-512'],
  [{ integrity: 'sha1-abc' }, '@b/c has no SHA-512'],
  [{ resolved: 'git+ssh://git@example.com/c.git' }, '@b/c comes from git+ssh://git@example.com/c.git'],
  [{ hasInstallScript: true }, '@b/c runs a script at its installation'],
])('a package with %j is named', (given, fault) => {
  expect(find(given)).toEqual([fault])
})

test.each(['^1.0.0', '~1.0.0', '*', 'latest', '>=1', 'github:a/b', 'npm:@c/d@^2.0.0'])(
  'a version that may change is named: %s',
  (version) => {
    expect(find({}, { devDependencies: { a: version } })).toEqual([`a may change: ${version}`])
  },
)
