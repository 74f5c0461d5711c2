import { act, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { version } from '../../../../package.json'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import AboutBox from './about-box.tsx'
import { showAbout } from './about-store.ts'

afterEach(() => act(() => showAbout(false)))

async function open(status: number, checks: Readonly<Record<string, boolean>>) {
  const body = { status: status === 200 ? 'ready' : 'not ready', checks }
  vi.stubGlobal('fetch', async () => Response.json(body, { status }))
  showAbout(true)
  await renderPart(<AboutBox />)
}

test('the box has the version, the licences of the packages, and a server that is well', async () => {
  await open(200, { postgres: true, broker: true })
  expect(await screen.findByText('数据库正常')).toBeTruthy()
  expect(screen.getByTestId('version').textContent).toBe(`Isotherm ${version}`)
  const row = screen.getByRole('cell', { name: 'react' }).closest('tr')
  expect(row?.textContent).toContain('MIT')
})

test('a service that does not answer is named', async () => {
  await open(503, { postgres: true, clickhouse: false })
  expect(await screen.findByText('历史数据库没有应答')).toBeTruthy()
  expect(screen.getByTestId('health').textContent).toBe('部分服务没有应答')
})

test('an answer of another program is no state of the server', async () => {
  vi.stubGlobal('fetch', async () => new Response('<html></html>'))
  showAbout(true)
  await renderPart(<AboutBox />)
  expect(await screen.findByText('未能读取服务器状态')).toBeTruthy()
})
