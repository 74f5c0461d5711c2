import {
  addDevModel,
  type DeviceModel,
  editDevModel,
  getAllDevModels,
} from '@isotherm/contract/endpoints/devices/device-models'
import {
  addDevProfile,
  editDevProfile,
  getAllDevProfiles,
  type StoredProfile,
} from '@isotherm/contract/endpoints/devices/device-profiles'
import { shippedProfiles } from '@isotherm/profiles/shipped-profiles'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useNotices } from '../../../shared/notices/notices.ts'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { meterPage } from '../list/device-page-kind.ts'
import { DeviceRegistry } from './device-registry.tsx'

const model = (over: Partial<DeviceModel> = {}): DeviceModel => ({
  id: 5,
  kind: 'heat-meter',
  name: 'HM-20',
  maker: '表厂',
  description: '',
  profile: 'heat-meter-cjt188',
  version: 3,
  abilities: ['edit', 'remove'],
  ...over,
})

const [shipped] = shippedProfiles.filter(({ id }) => id === 'heat-meter-cjt188')
if (!shipped) throw new Error('the product has no profile of a heat meter')
const own: StoredProfile = {
  id: 9,
  profile: { ...shipped, id: 'own-meter', name: { zh: '本厂热表', en: 'Own meter' } },
  version: 2,
  abilities: ['edit', 'remove'],
}

async function openPage(
  view: 'models' | 'profiles',
  options: RenderOptions = {},
  models: readonly DeviceModel[] = [model()],
) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  api.answer(getAllDevModels, { datalist: [...models], total: models.length })
  api.answer(getAllDevProfiles, { datalist: [own], total: 1 })
  const rendered = await renderPart(<DeviceRegistry kind={meterPage} />, {
    permissions: ['pd-caldevmanager'],
    ...options,
    address: `/dev/caldevmanager?view=${view}${options.address ?? ''}`,
  })
  await screen.findByTestId('record-total')
  return { api, ...rendered }
}

const keys = () => screen.getAllByTestId(/^record-[a-z0-9-]+$/).map((row) => row.dataset.testid)
const toFile = (value: unknown) =>
  new File([JSON.stringify(value)], 'profile.json', { type: 'application/json' })
const choose = async ({ user }: Awaited<ReturnType<typeof openPage>>, file: File) => {
  const inputs = document.querySelectorAll<HTMLInputElement>('input[type="file"]')
  const input = inputs.item(inputs.length - 1)
  await user.upload(input, file)
}

test('models of the kinds of the page are listed with the name of their profile', async () => {
  const valve = model({ id: 6, kind: 'valve', name: 'HV', profile: undefined })
  await openPage('models', {}, [model(), valve])
  await waitFor(() => expect(screen.getByTestId('record-5').textContent).toContain('HM-20'))
  expect(screen.queryByTestId('record-6')).toBeNull()
  expect(await screen.findByText(shipped.name.zh)).toBeTruthy()
})

test('a new model has the kind of the page; an edited one can lose its profile', async () => {
  const { api, user } = await openPage('models', {}, [])
  api.answer(addDevModel, model({ name: 'HM-40' }))
  await user.click(screen.getByTestId('record-add'))
  await user.type(await screen.findByTestId('field-name'), 'HM-40')
  await user.click(screen.getByTestId('form-save'))
  await waitFor(() =>
    expect(api.calls(addDevModel)).toEqual([
      { kind: 'heat-meter', name: 'HM-40', maker: '', description: '' },
    ]),
  )
})

test('a model without the ability to change it is only shown', async () => {
  const { api } = await openPage('models', { address: '&open=5' }, [model({ abilities: [] })])
  expect(await screen.findByText('型号由各公司共用，只有平台方可以修改')).toBeTruthy()
  expect(screen.queryByTestId('form-save')).toBeNull()
  expect(api.calls(editDevModel)).toEqual([])
})

test('profiles of the product and added ones are listed with their bus and metrics', async () => {
  await openPage('profiles', { language: 'en' })
  await waitFor(() => expect(keys()).toContain('record-own-meter'))
  expect(keys()).toContain('record-heat-meter-mbus')
  expect(keys()).not.toContain('record-valve-on-off-cjt188')
  const row = within(screen.getByTestId('record-table'))
  expect(row.getAllByText('Built in').length).toBeGreaterThan(0)
  expect(row.getAllByText('Added')).toHaveLength(1)
})

test('a profile file is added; a wrong one is refused with the place of its fault and not sent', async () => {
  const page = await openPage('profiles')
  const { api } = page
  await choose(page, toFile({ ...own.profile, pollPeriodS: 1 }))
  expect(await screen.findByText('档案无效，请检查：pollPeriodS')).toBeTruthy()
  expect(api.calls(addDevProfile)).toEqual([])
  api.answer(addDevProfile, own)
  await choose(page, toFile(own.profile))
  await waitFor(() => expect(api.calls(addDevProfile)).toEqual([{ profile: own.profile }]))
  await waitFor(() =>
    expect(useNotices.getState().notices.map(({ text }) => text)).toContain('设备档案 本厂热表 已保存'),
  )
})

test('an added profile is replaced by a file, based on the version that the user saw', async () => {
  const page = await openPage('profiles', { address: '&open=own-meter' })
  const { api } = page
  api.refuse(editDevProfile, { code: 'entity.stale', text: '设备档案刚被 li 修改' })
  expect(await screen.findByText('用文件替换')).toBeTruthy()
  await choose(page, toFile({ ...own.profile, pollPeriodS: 60 }))
  expect(await screen.findByText('设备档案刚被 li 修改')).toBeTruthy()
  expect(api.calls(editDevProfile)[0]).toMatchObject({ id: 9, version: 2, profile: { pollPeriodS: 60 } })
})

test('a pasted frame is read by the open profile', async () => {
  const { user } = await openPage('profiles', { address: '&open=own-meter' })
  const field = await screen.findByLabelText('十六进制报文')
  await user.type(field, '68 20 78 56 34 12 11 00 00 01 03 1F 90 01 61 16')
  expect((await screen.findByTestId('paste-summary')).textContent).toContain('CJ/T 188')
  expect(screen.getByTestId('paste-profile').textContent).toContain('本厂热表')
})
