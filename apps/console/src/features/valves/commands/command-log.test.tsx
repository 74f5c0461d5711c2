import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { sampleCommand } from '../../../shared/devices/valve-samples.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { CommandLog } from './command-log.tsx'

const renderLog = (page = 1, onPage = vi.fn()) =>
  renderPart(<CommandLog nodes={['4']} page={page} onPage={onPage} />)

test('a subtree without commands has an empty log', async () => {
  const api = startFakeApi()
  api.answer(getCtlLog, { datalist: [], total: 0 })
  await renderLog()
  expect(await screen.findByText('还没有命令')).toBeTruthy()
  expect(api.calls(getCtlLog)).toMatchObject([{ nodes: ['4'], limiter: { page: 1 } }])
})

test('a command is listed with change, state, user and reason', async () => {
  const api = startFakeApi()
  api.answer(getCtlLog, { datalist: [sampleCommand({ state: 'failed', resultCode: 423 })], total: 1 })
  await renderLog()
  const log = await screen.findByTestId('command-log')
  for (const text of ['失败', 'dispatcher', '回水偏低']) expect(log.textContent).toContain(text)
  expect(screen.getByText('共 1 条')).toBeTruthy()
  expect(log.textContent).toMatch(/35.*60/)
})

test('a page behind the last one goes back to the last page', async () => {
  const api = startFakeApi()
  api.answer(getCtlLog, { datalist: [], total: 45 })
  const onPage = vi.fn()
  await renderLog(9, onPage)
  await waitFor(() => expect(onPage).toHaveBeenCalledWith(3))
})

test('a refused log shows the reason of the server and a retry', async () => {
  const api = startFakeApi()
  api.refuse(getCtlLog, { code: 'access.denied', text: '没有此操作的权限' })
  const { user } = await renderLog()
  await screen.findByText(/没有此操作的权限/)
  api.answer(getCtlLog, { datalist: [sampleCommand()], total: 1 })
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByTestId('command-log')).toBeTruthy()
})
