import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { auditPackages, findAuditFault } from './audit.ts'

const root = join(import.meta.dirname, '../..')
const nothing = { accepted: [], isUnaudited: false }

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** A registry that knows weaknesses; undefined: one without that service, as some mirrors are. */
async function startRegistry(advisories: Readonly<Record<string, string>> | undefined): Promise<string> {
  const registry = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (advisories === undefined || request.method !== 'POST') {
      response.writeHead(advisories === undefined ? 405 : 404).end('{}')
      return
    }
    const found = Object.entries(advisories).map(([name, severity], id) => [
      name,
      [
        {
          id,
          url: 'https://example.org/a',
          title: 'a weakness',
          severity,
          vulnerable_versions: '*',
          cwe: [],
        },
      ],
    ])
    response.end(JSON.stringify(Object.fromEntries(found)))
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  open.push(() => {
    registry.closeAllConnections()
    registry.close()
  })
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
}

test('no release is made with a package of known high weakness, unless somebody has accepted it', async () => {
  const outcome = await auditPackages(root, await startRegistry({ fastify: 'high', zod: 'moderate' }))
  expect(outcome).toEqual({ kind: 'known', weak: [{ name: 'fastify', severity: 'high' }] })
  expect(findAuditFault(outcome, nothing)).toContain('fastify (high)')
  expect(findAuditFault(outcome, { ...nothing, accepted: ['zod'] })).toContain('fastify (high)')
  expect(findAuditFault(outcome, { ...nothing, accepted: ['fastify'] })).toBeUndefined()
})

test('a weakness of a package of development stops no release', async () => {
  const outcome = await auditPackages(root, await startRegistry({ vitest: 'critical' }))
  expect(findAuditFault(outcome, nothing)).toBeUndefined()
})

test('a registry that knows nothing of weaknesses is not taken for one that knows of none', async () => {
  const outcome = await auditPackages(root, await startRegistry(undefined))
  expect(outcome.kind).toBe('unknown')
  expect(findAuditFault(outcome, nothing)).toContain('--unaudited')
  expect(findAuditFault(outcome, { ...nothing, isUnaudited: true })).toBeUndefined()
})
