import {
  addModules,
  deleteMdoules,
  editModules,
  getAllModulesP,
  type ManagedModule,
} from '@isotherm/contract/endpoints/administration/modules'
import { screen, waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import type { Language } from '../../../shared/i18n/language.ts'
import { provideAccessReload } from '../../../shared/session/access-reload.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import ModelsysPage from './modelsys-page.tsx'

const moduleOf = (id: number, over: Partial<ManagedModule> = {}): ManagedModule => ({
  id,
  parentId: null,
  name: `模块${id}`,
  url: `px-${id}`,
  icon: '',
  sort: id,
  enabled: true,
  builtIn: false,
  version: 2,
  abilities: ['edit', 'delete'],
  ...over,
})

const group = moduleOf(1, { name: '灌溉监控', url: 'pewph', builtIn: true, abilities: ['edit'], sort: 50 })
const inside = moduleOf(2, {
  parentId: 1,
  name: '阀门实时监测',
  url: 'pe-fmreal',
  builtIn: true,
  abilities: ['edit'],
})
const link = moduleOf(3, { name: '报表', url: 'https://reports.example.com' })
const all = [inside, link, group]

async function openPage(
  modules: readonly ManagedModule[],
  address = '/sys/modelsys',
  language: Language = 'zh',
) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getAllModulesP, { datalist: [...modules], total: modules.length })
  let reloads = 0
  provideAccessReload(async () => {
    reloads += 1
  })
  onTestFinished(() => provideAccessReload(async () => {}))
  const view = await renderPart(<ModelsysPage />, { permissions: ['ps-modelsys'], address, language })
  await screen.findByTestId('record-total')
  return { api, reloads: () => reloads, ...view }
}

const names = () => screen.getAllByTestId(/^record-\d+$/).map(({ textContent }) => textContent)

test('modules are listed in the order of the menu, each group followed by its pages', async () => {
  await openPage(all)
  await waitFor(() => expect(names()).toEqual(['报表', '灌溉监控', '阀门实时监测']))
})

test('in English a module of a new installation has an English name, a named one the name it was given', async () => {
  await openPage(all, undefined, 'en')
  await waitFor(() => expect(names()).toEqual(['报表', 'Irrigation monitoring', 'Live valves']))
})

test('a filter shows one group with its pages', async () => {
  await openPage(all, '/sys/modelsys?group=1')
  await waitFor(() => expect(names()).toEqual(['灌溉监控', '阀门实时监测']))
})

test('renaming a built-in module sends its fixed url and group, and reloads the menu', async () => {
  const { api, user, reloads } = await openPage(all, '/sys/modelsys?open=2')
  const name = await screen.findByTestId('field-name')
  expect(screen.queryByTestId('field-url')).toBeNull()
  await user.clear(name)
  await user.type(name, '阀门看板')
  api.answer(editModules, { datalist: [{ ...inside, name: '阀门看板' }] })
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(reloads()).toBe(1))
  const { builtIn: _, abilities: __, ...sent } = inside
  expect(api.calls(editModules)).toEqual([{ modules: [{ ...sent, name: '阀门看板' }] }])
})

test('a new module with a wrong address is not sent; with a right one it is, after the last of the menu', async () => {
  const { api, user, reloads } = await openPage(all)
  api.answer(addModules, { datalist: [moduleOf(9)] })
  await user.click(await screen.findByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), '气象')
  await user.type(screen.getByTestId('field-url'), 'javascript:1')
  await user.click(screen.getByTestId('form-save'))
  expect(await screen.findByText(/须为权限值/)).toBeTruthy()
  expect(api.calls(addModules)).toEqual([])
  await user.clear(screen.getByTestId('field-url'))
  await user.type(screen.getByTestId('field-url'), 'https://weather.example.com')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(reloads()).toBe(1))
  expect(api.calls(addModules)).toEqual([
    {
      modules: [
        {
          name: '气象',
          parentId: null,
          url: 'https://weather.example.com',
          icon: '',
          sort: 60,
          enabled: true,
        },
      ],
    },
  ])
})

test('disabling sends each selected module unchanged but for its state; a refusal is named', async () => {
  const { api, user } = await openPage(all, '/sys/modelsys?pick=1,3')
  api.decide(editModules, ({ modules }) =>
    modules[0]?.id === 3
      ? { data: { datalist: [moduleOf(3, { enabled: false })] } }
      : { refusal: { code: 'entity.built-in', text: '系统内置，不能更改：灌溉监控' } },
  )
  await user.click(await screen.findByTestId('bulk-disable'))
  await user.click(await screen.findByTestId('bulk-start'))
  expect(await screen.findByText(/系统内置，不能更改/)).toBeTruthy()
  expect(screen.getByTestId('bulk-result').textContent).toBe('已完成 1 / 2 · 失败 1 项')
  expect(api.calls(editModules).map(({ modules }) => modules[0])).toContainEqual({
    id: 3,
    version: 2,
    parentId: null,
    name: '报表',
    url: 'https://reports.example.com',
    icon: '',
    sort: 3,
    enabled: false,
  })
})

test('only added modules are deleted', async () => {
  const { api, user } = await openPage(all, '/sys/modelsys?pick=2,3')
  api.answer(deleteMdoules, { deleted: 1 })
  await user.click(await screen.findByTestId('bulk-delete'))
  expect(await screen.findByText(/删除 1 个模块/)).toBeTruthy()
  await user.click(screen.getByTestId('bulk-start'))
  await screen.findByTestId('bulk-close')
  expect(api.calls(deleteMdoules)).toEqual([{ items: [{ id: 3, version: 2 }] }])
})

test('a user who may not change modules gets neither form nor actions', async () => {
  const seen = all.map((module) => ({ ...module, abilities: [] }))
  await openPage(seen, '/sys/modelsys?open=3')
  expect(screen.queryByTestId('record-add')).toBeNull()
  expect(screen.queryByTestId('form-save')).toBeNull()
})
