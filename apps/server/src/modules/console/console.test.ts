import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consoleSettings } from '@isotherm/contract/endpoints/administration/console'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError } from '../../platform/config.ts'
import { createTestPublicCall } from '../../platform/http/call.testkit.ts'
import { addSecurityHeaders } from '../../platform/http/security-headers.ts'
import { createTestConfig } from '../../testing/core.testkit.ts'
import { findImageType } from './company-logo.ts'
import { createConsole } from './index.ts'

const SVG =
  '<?xml version="1.0"?><!-- ours --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logo-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function save(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

const create = (settings: Readonly<Record<string, string>>) =>
  createConsole(createTestConfig({ ISOTHERM_MODE: 'production', ...settings }))

const call = (language: 'zh' | 'en') => createTestPublicCall({ language })
const request = async (settings: Readonly<Record<string, string>>, language: 'zh' | 'en' = 'zh') =>
  consoleSettings.parse(await (await create(settings)).handlers.getConsoleSettings({}, call(language)))

test('§1 an installation that names no company has login-source id 128, no title and no logo', async () => {
  expect(await request({})).toEqual({
    companyTitle: null,
    companyLogo: null,
    sidebarLogo: 1,
    loginSrcId: 128,
    demo: false,
    heatingSeason: { first: '11-15', last: '03-15' },
    timeZone: 'Asia/Shanghai',
  })
})

test('§1 Id 0 gives a company-specific title and logo', async () => {
  const settings = {
    ISOTHERM_COMPANY_TITLE: ' 城北热力 ',
    ISOTHERM_COMPANY_LOGO: await save('a.svg', SVG),
    ISOTHERM_SIDEBAR_LOGO: '2',
  }
  expect(await request(settings)).toEqual({
    companyTitle: '城北热力',
    companyLogo: '/usrCloud/console/companyLogo',
    sidebarLogo: 2,
    loginSrcId: 0,
    demo: false,
    heatingSeason: { first: '11-15', last: '03-15' },
    timeZone: 'Asia/Shanghai',
  })
})

test('§9 Sidebar logo options: none, the company logo, or the common logo. The default is 1', async () => {
  expect((await request({})).sidebarLogo).toBe(1)
  expect((await request({ ISOTHERM_SIDEBAR_LOGO: '0' })).sidebarLogo).toBe(0)
})

test('the heating season and its time zone come from the configuration', async () => {
  const settings = { ISOTHERM_HEATING_SEASON: '10-20/04-20', ISOTHERM_TIME_ZONE: 'Europe/Berlin' }
  expect(await request(settings)).toMatchObject({
    heatingSeason: { first: '10-20', last: '04-20' },
    timeZone: 'Europe/Berlin',
  })
})

test('the demo has a company title and logo, unless the configuration sets a title', async () => {
  const demo = { ISOTHERM_MODE: 'demo' }
  const logo = '/usrCloud/console/companyLogo'
  expect(await request(demo)).toMatchObject({
    companyTitle: '和源热力集团',
    companyLogo: logo,
    loginSrcId: 0,
    demo: true,
    heatingSeason: { first: '11-15', last: '03-15' },
    timeZone: 'Asia/Shanghai',
  })
  expect(await request(demo, 'en')).toMatchObject({ companyTitle: 'Heyuan Heating Group' })
  expect(await request({ ...demo, ISOTHERM_COMPANY_TITLE: '城北' })).toMatchObject({
    companyTitle: '城北',
    companyLogo: null,
  })
})

async function serve(settings: Readonly<Record<string, string>>) {
  const app = Fastify()
  await addSecurityHeaders(app, { frameOrigins: [], iconOrigins: [], tileOrigins: [] })
  const { mount } = await create(settings)
  mount(app)
  return app
}

test('the logo is served with its type, and a script in it cannot run', async () => {
  const settings = { ISOTHERM_COMPANY_TITLE: '城北', ISOTHERM_COMPANY_LOGO: await save('b.png', SVG) }
  const app = await serve(settings)
  const answer = await app.inject('/usrCloud/console/companyLogo')
  expect([answer.statusCode, answer.body]).toEqual([200, SVG])
  expect(answer.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  })
  const again = await app.inject({
    url: '/usrCloud/console/companyLogo',
    headers: { 'if-none-match': String(answer.headers.etag) },
  })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  await app.close()
})

test('without a logo its address is not found', async () => {
  const app = await serve({ ISOTHERM_COMPANY_TITLE: '城北' })
  expect((await app.inject('/usrCloud/console/companyLogo')).statusCode).toBe(404)
  await app.close()
})

test.each([
  ['a PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'image/png'],
  ['a JPEG', Buffer.from('ffd8ffe000104a46', 'hex'), 'image/jpeg'],
  ['a WebP', Buffer.from('RIFF0000WEBPVP8 '), 'image/webp'],
  ['an SVG', Buffer.from('\uFEFF\n<!DOCTYPE svg>\n<svg width="1"/>'), 'image/svg+xml'],
  ['a page that holds an SVG', Buffer.from('<html><svg></svg></html>'), undefined],
  ['a sound', Buffer.from('RIFF0000WAVEfmt '), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('%s is known by its content', (_what, bytes, type) => {
  expect(findImageType(bytes)).toBe(type)
})

test.each([
  ['is not there', async () => join(folder, 'missing-hidden.svg'), 'cannot be read (ENOENT)'],
  ['is a folder', async () => folder, 'cannot be read (EISDIR)'],
  ['is too large', () => save('large.svg', SVG.padEnd(512 * 1024 + 1)), 'is larger than 512 kB'],
  ['is no image', () => save('page.svg', '<html></html>'), 'is not an SVG, PNG, WebP or JPEG image'],
])('a logo that %s stops the start with one line', async (_what, toPath, words) => {
  const settings = { ISOTHERM_COMPANY_TITLE: 't', ISOTHERM_COMPANY_LOGO: await toPath() }
  const error: unknown = await create(settings).catch((refused: unknown) => refused)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error).toHaveProperty('message', `ISOTHERM_COMPANY_LOGO ${words}`)
})
