import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers, leadsInto, narrow, type Scope, scopeOfEverything, toDisjointPaths } from './scope.ts'

const path = fc
  .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 })
  .map((ids) => `/${ids.join('/')}/`)
const scopeOf = (...paths: string[]): Scope => ({ kind: 'paths', paths })

test('a grant covers its subtree and not a node whose id only begins alike', () => {
  expect(covers(scopeOf('/1/4/'), '/1/4/12/')).toBe(true)
  expect(covers(scopeOf('/1/4/'), '/1/4/')).toBe(true)
  expect(covers(scopeOf('/1/4/'), '/1/40/')).toBe(false)
  expect(covers(scopeOf('/1/4/'), '/1/')).toBe(false)
})

test('an ancestor leads into a grant, the grant itself does not', () => {
  expect(leadsInto(scopeOf('/1/4/'), '/1/')).toBe(true)
  expect(leadsInto(scopeOf('/1/4/'), '/1/4/')).toBe(false)
  expect(leadsInto(scopeOfEverything, '/1/')).toBe(false)
})

test('disjoint paths cover what the given ones cover, each node once', () => {
  fc.assert(
    fc.property(fc.array(path), path, (paths, node) => {
      const disjoint = toDisjointPaths(paths)
      const covering = disjoint.filter((other) => node.startsWith(other))
      expect(covering.length).toBe(paths.some((other) => node.startsWith(other)) ? 1 : 0)
    }),
  )
})

test('narrowing a subtree gives what is both below it and covered', () => {
  fc.assert(
    fc.property(fc.array(path), path, path, (paths, asked, node) => {
      const scope = scopeOf(...paths)
      const isGiven = narrow(scope, asked).some((part) => node.startsWith(part))
      expect(isGiven).toBe(covers(scope, node) && node.startsWith(asked))
    }),
  )
})
