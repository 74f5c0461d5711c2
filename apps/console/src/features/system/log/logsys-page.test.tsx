import {
  addUserOp,
  getOperations,
  type OperationEntry,
} from '@isotherm/contract/endpoints/administration/operations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { catchDownloads, readLines } from '../../../shared/testing/catch-downloads.testkit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import LogsysPage from './logsys-page.tsx'

const entry = (id: number, over: Partial<OperationEntry> = {}): OperationEntry => ({
  id,
  at: 1_700_000_000_000 - id * 60_000,
  account: 'li',
  endpoint: 'editUser',
  result: 'ok',
  whole: true,
  address: '10.0.0.7',
  requestId: `req-${id}`,
  input: { account: 'wang', name: '王工' },
  changes: [],
  hasMoreChanges: false,
  ...over,
})

interface PageOptions extends RenderOptions {
  readonly hasMore?: boolean
  readonly retentionDays?: number
}

async function openPage(entries: readonly OperationEntry[], options: PageOptions = {}) {
  const { hasMore = false, retentionDays = 0, ...rest } = options
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getOperations, ({ limiter: { page, size } }) => ({
    datalist: entries.slice((page - 1) * size, page * size),
    total: entries.length,
    hasMore,
    searchedFrom: 1_600_000_000_000,
    retentionDays,
  }))
  api.answer(addUserOp, {})
  const view = await renderPart(<LogsysPage />, {
    permissions: ['ps-oplogsys'],
    address: '/sys/logsys',
    ...rest,
  })
  await screen.findByTestId('record-total')
  return { api, ...view }
}

test('who, what, where, when and result of the address are searched for; visits are left out', async () => {
  const address =
    '/sys/logsys?q=王工&range=1000~2000&account=li&endpoint=editUser&result=failed&node=g4&page=2'
  const { api } = await openPage(
    Array.from({ length: 60 }, (_, id) => entry(id + 1)),
    { address },
  )
  await waitFor(() => expect(api.calls(getOperations)).toHaveLength(1))
  expect(api.calls(getOperations)[0]).toEqual({
    from: 1000,
    to: 2000,
    endpoint: 'editUser',
    result: 'failed',
    node: 'g4',
    text: '王工',
    filter: [
      { field: 'endpoint', cond: 'ne', vstd: 'addUserOp' },
      { field: 'account', cond: 'like', vstd: 'li' },
    ],
    limiter: { page: 2, size: 50 },
  })
})

test.each([
  ['zh', ['编辑用户', '系统', '平衡任务自动执行', 'removed-long-ago']],
  ['en', ['Edit user', 'System', 'Step of a campaign', 'removed-long-ago']],
] as const)(
  'calls have readable names in %s, and their own name where none is known',
  async (language, texts) => {
    const entries = [
      entry(1),
      entry(2, { endpoint: 'campaign', account: '' }),
      entry(3, { endpoint: 'removed-long-ago' }),
    ]
    await openPage(entries, { language })
    for (const text of texts) expect(await screen.findAllByText(text)).toHaveLength(1)
  },
)

test('a visit is named in the language of the reader, not of the visitor', async () => {
  const visited = entry(1, { endpoint: 'addUserOp', input: { path: '/ewph/fmreal', title: '阀门实时监测' } })
  await openPage([visited], { address: '/sys/logsys?kind=visits', language: 'en' })
  expect(await screen.findByText('Page visit: Live valves')).toBeTruthy()
})

test('visits and exports are shown with their page or file', async () => {
  const visited = entry(1, { endpoint: 'addUserOp', input: { path: '/ewph/fmreal', title: '阀门实时监测' } })
  const exported = entry(2, {
    endpoint: 'addUserOp',
    input: { kind: 'export', path: '/sys/usersys', title: 'users.csv' },
  })
  const { api } = await openPage([visited, exported], { address: '/sys/logsys?kind=visits' })
  expect(await screen.findByText('访问页面：阀门实时监测')).toBeTruthy()
  expect(screen.getByText('导出列表：users.csv')).toBeTruthy()
  expect(api.calls(getOperations)[0]?.filter).toEqual([{ field: 'endpoint', cond: 'eq', vstd: 'addUserOp' }])
})

test('an entry shows result, address, input, and the values before and after', async () => {
  const changed = entry(1, {
    result: 'entity.in-use',
    changes: [
      {
        entity: 'account',
        entityId: '12',
        version: 3,
        action: 'changed',
        before: { name: '老王' },
        after: { name: '王工' },
      },
    ],
  })
  const { user } = await openPage([changed])
  await user.click(await screen.findByTestId('record-1'))
  const changes = await screen.findByTestId('log-changes')
  expect(changes.querySelector('del')?.textContent).toBe('老王')
  expect(changes.querySelector('ins')?.textContent).toBe('王工')
  expect(changes.textContent).toContain('修改')
  expect(screen.getAllByText('10.0.0.7').length).toBeGreaterThan(0)
  expect(screen.getAllByText(/正在被使用/).length).toBeGreaterThan(0)
})

test('an entry that is only partly visible is marked', async () => {
  await openPage([entry(1, { whole: false })], { address: '/sys/logsys?open=1' })
  expect(await screen.findByText(/权限范围以外/)).toBeTruthy()
})

test('an incomplete search states from when on it searched', async () => {
  await openPage([entry(1)], { hasMore: true })
  await waitFor(() => expect(screen.getByRole('note').textContent).toMatch(/结果过多：只查到 2020/))
})

test('the export has every match, not only the shown page, and is recorded', async () => {
  const { api, user } = await openPage(Array.from({ length: 1_234 }, (_, id) => entry(id + 1)))
  const saved = catchDownloads()
  await waitFor(() => expect(screen.getByTestId('record-export')).toHaveProperty('disabled', false))
  await user.click(screen.getByTestId('record-export'))
  await waitFor(() => expect(api.calls(addUserOp)).toHaveLength(1))
  const lines = await readLines(saved[0])
  expect(lines).toHaveLength(1_235)
  expect(lines.at(-1)).toContain('req-1234')
})

test('a choice of kind, range and user is in the address', async () => {
  const { user, address } = await openPage([entry(1)])
  await user.click(screen.getByText('全部'))
  await waitFor(() => expect(address()).toBe('/sys/logsys?kind=all'))
  await user.click(screen.getByText('30 天'))
  await waitFor(() => expect(address()).toBe('/sys/logsys?kind=all&range=30d'))
  await user.type(screen.getByTestId('filter-account'), 'li')
  await waitFor(() => expect(address()).toBe('/sys/logsys?range=30d&kind=all&account=li'))
})

test.each([
  ['zh', 0, '日志永久保存，不能修改或删除'],
  ['zh', 400, '日志保存 400 天，期间不能修改或删除，到期自动删除'],
  [
    'en',
    400,
    'Entries are stored for 400 days and can be neither changed nor deleted before; then the server deletes them',
  ],
] as const)(
  'the page says in %s how long entries are stored: %i days',
  async (language, retentionDays, text) => {
    await openPage([entry(1)], { language, retentionDays })
    expect((await screen.findByRole('note')).textContent).toBe(text)
  },
)
