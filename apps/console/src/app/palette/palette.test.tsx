import { searchTree, type TreeHit } from '@isotherm/contract/endpoints/network/tree'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stubCamera, stubPictures, takePhoto, toModules } from '../../shared/scan/scan.testkit.ts'
import {
  expectAddress,
  fillLogin,
  findTab,
  logOutInOtherTab,
  renderConsole,
} from '../testing/render-console.testkit.tsx'

const household: TreeHit = {
  chain: [
    { node: 'p1', label: '和源热力集团', level: 1, nodetype: 'project' },
    { node: 'g2', label: '和源城区供热公司', level: 2, nodetype: 'group' },
    { node: 'g3', label: '城东区域', level: 3, nodetype: 'group' },
  ],
  nestaddr: '和源热力集团,和源城区供热公司,城东区域',
  projectid: 1,
  match: 'address',
}

async function openPalette(): Promise<HTMLElement> {
  await screen.findByTestId('user-menu')
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  return screen.findByTestId('palette-input')
}

test('Ctrl-K finds a page by its pinyin initials and opens it', async () => {
  const { user } = await renderConsole({ role: 'dispatcher' })
  const input = await openPalette()
  await user.type(input, 'fmls')
  const option = await screen.findByRole('option', { selected: true })
  expect(option.textContent).toContain('阀门历史数据')
  expect(option.querySelector('mark')?.textContent).toBe('阀门历史')
  expect(input.getAttribute('aria-activedescendant')).toBe(option.id)
  await user.keyboard('{Enter}')
  await expectAddress('/ewph/fmhistory')
  expect(screen.queryByTestId('palette-input')).toBeNull()
})

test('a node is found by the server and shown in the tree', async () => {
  const { user, api } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmcontrol' })
  api.answer(searchTree, { datalist: [household], more: false })
  await screen.findByRole('treeitem', { name: /城东区域/ })
  await user.type(await openPalette(), '5-2-301')
  const [hit] = await screen.findAllByTestId(/^palette-node/)
  if (!hit) throw new Error('nothing was found')
  expect(hit.textContent).toContain('城东区域')
  expect(api.calls(searchTree).at(-1)).toMatchObject({ text: '5-2-301' })
  await user.click(hit)
  expect(await screen.findByRole('treeitem', { name: /城东区域/, selected: true })).toBeTruthy()
})

test.each(['/ewph/fmcontrol', '/404'])(
  'on a phone a node found on %s is shown in the drawer of the tree, or on the first page that has one',
  async (address) => {
    const { user, api } = await renderConsole({ role: 'dispatcher', address, widthPx: 390 })
    api.answer(searchTree, { datalist: [household], more: false })
    await user.click(await screen.findByTestId('palette-open'))
    expect(screen.queryByRole('tree')).toBeNull()
    await user.type(await screen.findByTestId('palette-input'), '5-2-301')
    await user.click((await screen.findAllByTestId(/^palette-node/))[0] ?? document.body)
    await waitFor(() => {
      const row = screen.getByRole('treeitem', { name: /城东区域/, selected: true })
      expect(row.closest('.ant-drawer')).not.toBeNull()
    })
  },
)

test('a search is aborted when other text is typed', async () => {
  const { user, api } = await renderConsole({ role: 'dispatcher' })
  const input = await openPalette()
  api.stall(searchTree)
  await user.type(input, '文化')
  await waitFor(() => expect(api.calls(searchTree).at(-1)).toMatchObject({ text: '文化' }))
  const before = api.aborted()
  api.resume(searchTree)
  api.answer(searchTree, { datalist: [household], more: false })
  await user.clear(input)
  await user.type(input, '东')
  await waitFor(() => expect(api.aborted()).toBeGreaterThan(before))
  expect((await screen.findAllByTestId(/^palette-node/))[0]?.textContent).toContain('城东区域')
})

test('a search that fails names the failure', async () => {
  const { user, api } = await renderConsole({ role: 'dispatcher' })
  api.refuse(searchTree, { code: 'server.internal', text: 'failed' })
  await user.type(await openPalette(), '东苑')
  expect(await screen.findByText(/管网查找失败/)).toBeTruthy()
})

test('the palette changes the language, and lists recently used pages first', async () => {
  const { user, openPage } = await renderConsole({ role: 'dispatcher', address: '/ewph/fmcontrol' })
  await findTab('/ewph/fmcontrol')
  await openPage('/ewph/fmhistory')
  const input = await openPalette()
  expect((await screen.findAllByRole('option'))[0]?.textContent).toContain('阀门控制管理')
  await user.type(input, 'english')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(document.documentElement.lang).toMatch(/^en/))
})

test('the palette does not outlive the logout: the next user does not find it open', async () => {
  const { user } = await renderConsole({ role: 'dispatcher' })
  await openPalette()
  logOutInOtherTab()
  await expectAddress('/login?redirect=%2Fdashboard')
  await fillLogin(user, 'viewer')
  await screen.findByTestId('user-menu')
  expect(screen.queryByTestId('palette-input')).toBeNull()
})

test('the scan of the palette does not outlive the logout: the camera does not open for the next user', async () => {
  stubPictures()
  const count = stubCamera()
  const { user } = await renderConsole({ role: 'dispatcher' })
  await openPalette()
  await user.click(await screen.findByTestId('palette-scan'))
  await waitFor(() => expect(count()).toEqual({ opened: 1, closed: 0 }))
  logOutInOtherTab()
  await expectAddress('/login?redirect=%2Fdashboard')
  await waitFor(() => expect(count()).toEqual({ opened: 1, closed: 1 }))
  await fillLogin(user, 'viewer')
  await screen.findByTestId('user-menu')
  expect(screen.queryByTestId('scan-camera')).toBeNull()
  await openPalette()
  expect(count()).toEqual({ opened: 1, closed: 1 })
})

test('Ctrl-K ends the scan and its camera', async () => {
  stubPictures()
  const count = stubCamera()
  const { user } = await renderConsole({ role: 'maintenance' })
  await openPalette()
  await user.click(await screen.findByTestId('palette-scan'))
  await waitFor(() => expect(count()).toEqual({ opened: 1, closed: 0 }))
  await openPalette()
  await waitFor(() => expect(count()).toEqual({ opened: 1, closed: 1 }))
  expect(screen.queryByTestId('palette-input')).toBeTruthy()
  await waitFor(() => expect(screen.queryByTestId('scan-photo')).toBeNull())
})

test('a scanned serial number is searched for, and a scanned product label opens its device', async () => {
  const { user, api } = await renderConsole({ role: 'maintenance' })
  stubPictures()
  api.answer(searchTree, { datalist: [], more: false })
  const scanPhoto = async (text: string) => {
    await user.click(await screen.findByTestId('palette-scan'))
    const files = [takePhoto(toModules(text))]
    fireEvent.change(await screen.findByTestId('scan-file'), { target: { files } })
  }
  await openPalette()
  await scanPhoto('SN:HV25-7')
  await waitFor(() => expect(screen.getByTestId('palette-input')).toHaveProperty('value', 'HV25-7'))
  await waitFor(() => expect(api.calls(searchTree).at(-1)).toMatchObject({ text: 'HV25-7' }))
  await scanPhoto('http://10.0.0.8/dev/devdebug?id=42')
  await expectAddress('/dev/devdebug?id=42')
})
