import { permissions } from '@isotherm/contract/access/permissions'
import { getUsers } from '@isotherm/contract/endpoints/administration/users'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { getVauser } from '@isotherm/contract/endpoints/network/network'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import { addCompany, getCompanies } from '@isotherm/contract/endpoints/network/organisations'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { closeTreeEdit, useTreeEdit } from '../../../shared/nodes/tree-edit.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import DashboardPage from '../dashboard-page.tsx'

const noDevices = { total: 0, online: 0, silent: 0, unknown: 0 }

interface Installed {
  readonly companies?: number
  readonly buildings?: number
  readonly devices?: number
  readonly concentrators?: number
  readonly reported?: number
  readonly users?: number
}

/** A server with so many of each. */
async function openHome(installed: Installed, granted: readonly string[] = permissions) {
  const { companies = 0, buildings = 0, devices = 0, concentrators = 0, reported = 0, users = 1 } = installed
  const api = startFakeApi()
  api.answer(getCompanies, { datalist: [], total: companies })
  api.answer(getVauser, { datalist: [], total: buildings })
  api.answer(getDevs, ({ kind }) => ({
    list: [],
    total: kind === 'concentrator' ? concentrators : devices + concentrators,
  }))
  api.answer(getThreeSelectNewRealDev, { datalist: [], total: reported })
  api.answer(getUsers, { list: [], total: users })
  api.answer(getCtlLog, { datalist: [], total: 0 })
  api.answer(getNetworkFigures, {
    valves: noDevices,
    meters: noDevices,
    rooms: noDevices,
    returnTemps: null,
    roomTemps: null,
    warmShare: null,
    powerKw: null,
    stations: { datalist: [], total: 0 },
  })
  return { api, ...(await renderPart(<DashboardPage />, { permissions: granted, address: '/dashboard' })) }
}

const states = () =>
  Object.fromEntries(
    screen
      .getAllByTestId(/^setup-(?!open)[a-z]+$/)
      .map(({ dataset }) => [dataset.testid?.slice('setup-'.length), dataset.done === 'true']),
  )

test('an empty installation shows every step to its administrator, with the way to do it', async () => {
  await openHome({})
  await screen.findByTestId('setup')
  expect(states()).toEqual({
    company: false,
    structure: false,
    devices: false,
    concentrators: false,
    reading: false,
    colleagues: false,
  })
  expect(screen.getByText('已完成 0 / 6')).toBeTruthy()
  expect(screen.getByTestId('setup-open-devices').getAttribute('href')).toBe('/dev/fmdevmanager')
  expect(screen.getByTestId('setup-open-import').getAttribute('href')).toBe('/dev/fmdevmanager')
  expect(screen.getByTestId('setup-open-concentrators').getAttribute('href')).toBe('/dev/datadevmanager')
  expect(screen.getByTestId('setup-open-colleagues').getAttribute('href')).toBe('/users/usersetting')
  await waitFor(() => expect(screen.queryByText('所选范围内没有设备')).toBeNull())
})

test('done steps are marked and offer nothing; the state is also text', async () => {
  await openHome({ companies: 1, buildings: 3, devices: 20, concentrators: 0 })
  await screen.findByTestId('setup')
  expect(states()).toMatchObject({ company: true, structure: true, devices: true, concentrators: false })
  expect(screen.getByTestId('setup-structure').textContent).toContain('已完成')
  expect(screen.queryByTestId('setup-open-structure')).toBeNull()
})

test('devices with a link of their own need no concentrator: their first reading is enough', async () => {
  await openHome({ companies: 1, buildings: 1, devices: 1, reported: 1 })
  await waitFor(() => expect(screen.queryByText('所选范围内没有设备')).toBeTruthy())
  expect(screen.queryByTestId('setup')).toBeNull()
})

test('an installation that is live shows no checklist, even without colleagues', async () => {
  await openHome({ companies: 1, buildings: 1, devices: 9, concentrators: 1, reported: 9, users: 1 })
  expect(await screen.findByText('所选范围内没有设备')).toBeTruthy()
  expect(screen.queryByTestId('setup')).toBeNull()
})

test('only steps that the user may do are listed; a reader sees none', async () => {
  const first = await openHome({}, ['pdev', 'pd-fmdevmanager', 'pewph', 'pe-fmreal'])
  await screen.findByTestId('setup')
  expect(Object.keys(states())).toEqual(['devices', 'reading'])
  expect(first.api.calls(getCompanies)).toEqual([])
  first.unmount()
  const second = await openHome({}, ['pewph', 'pe-fmreal', 'prtjc', 'pr-rtreal'])
  expect(await screen.findByText('所选范围内没有设备')).toBeTruthy()
  expect(screen.queryByTestId('setup')).toBeNull()
  expect(second.api.calls(getDevs)).toEqual([])
})

test('the company is added on the home page, and the step is checked again', async () => {
  const { api, user } = await openHome({})
  await user.click(await screen.findByTestId('setup-open-company'))
  await user.type(await screen.findByTestId('field-name'), '阳光热力')
  await user.type(screen.getByTestId('field-tenant'), 'sunny')
  api.answer(addCompany, {
    id: 1,
    tenant: 'sunny',
    name: '阳光热力',
    timeZone: 'UTC',
    version: 1,
    abilities: [],
  })
  api.answer(getCompanies, { datalist: [], total: 1 })
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(states()).toMatchObject({ company: true }))
  expect(api.calls(addCompany)).toMatchObject([{ name: '阳光热力', tenant: 'sunny' }])
})

test('the structure begins with a group, in the editor of the tree', async () => {
  const { user } = await openHome({ companies: 1 })
  await user.click(await screen.findByTestId('setup-open-structure'))
  expect(useTreeEdit.getState().job).toMatchObject({ kind: 'add', node: '-1' })
  closeTreeEdit()
})
