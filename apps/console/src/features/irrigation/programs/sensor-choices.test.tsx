import { setIrrigationGroup, setIrrigationSource } from '@isotherm/contract/endpoints/control/irrigation'
import { type IrrigationGroup, MAX_PROBES } from '@isotherm/contract/irrigation'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout } from '../../../shared/testing/layout.testkit.ts'
import { renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import { sampleSource } from '../irrigation-samples.testkit.ts'
import { GroupForm } from './group-form.tsx'
import { SourceForm } from './source-form.tsx'

const group: IrrigationGroup = {
  id: 5,
  name: '南组',
  version: 2,
  mode: 'parallel',
  valves: [{ deviceId: 11, deviceName: '南阀', flowM3H: 6, maxS: 1_800 }],
  probes: [],
  silentProbes: [],
}
const at = (deviceId: number, deviceName: string) => ({ deviceId, deviceName, nestaddr: '集团,苗圃,泵房' })
const source = sampleSource({
  rainId: 23,
  groups: [group],
  candidates: [at(11, '南阀')],
  sensors: [at(21, '流量计甲'), at(22, '土壤探头乙'), at(23, '雨量计丙')],
  abilities: ['configure', 'run'],
})

const permissions = ['pe-irrigation'] as const

/** Searches in a list and chooses the only match. */
async function choose(name: string, text: string, title: string): Promise<void> {
  const field = await screen.findByRole('combobox', { name })
  fireEvent.mouseDown(field)
  fireEvent.change(field, { target: { value: text } })
  fireEvent.click(await screen.findByTitle(title))
}

test('a source gets a flow meter that is found by its name, and keeps its rain sensor', async () => {
  stubLayout()
  const api = startFakeApi()
  api.answer(setIrrigationSource, source)
  const { user } = await renderPart(
    <SourceForm isOpen node="9" place={source.nestaddr} source={source} onClose={() => {}} />,
    { permissions },
  )
  expect(screen.queryByLabelText('漏水未解除时不启动计划')).toBeNull()
  await choose('流量计', '甲', '苗圃 / 泵房 · 流量计甲')
  // What a meter finds can be set as soon as one is chosen.
  expect(await screen.findByLabelText('漏水未解除时不启动计划')).toBeTruthy()
  await user.click(screen.getByTestId('source-save'))
  await waitFor(() =>
    expect(api.calls(setIrrigationSource)).toMatchObject([
      { id: 3, version: 4, settings: { meterId: 21, rainId: 23 } },
    ]),
  )
})

test('a group gets a soil probe of its own', async () => {
  stubLayout()
  const api = startFakeApi()
  api.answer(setIrrigationGroup, source)
  const { user } = await renderPart(<GroupForm source={source} group={group} onClose={() => {}} />, {
    permissions,
  })
  await choose('土壤探头', '乙', '苗圃 / 泵房 · 土壤探头乙')
  await user.click(screen.getByTestId('group-save'))
  await waitFor(() =>
    expect(api.calls(setIrrigationGroup)).toMatchObject([
      { sourceId: 3, id: 5, version: 2, settings: { probeIds: [22] } },
    ]),
  )
})

test('a group takes no more soil probes than it may have', async () => {
  stubLayout()
  const api = startFakeApi()
  api.answer(setIrrigationGroup, source)
  const ids = Array.from({ length: MAX_PROBES }, (_, index) => 100 + index)
  const full = { ...group, probeIds: ids }
  const { user } = await renderPart(<GroupForm source={source} group={full} onClose={() => {}} />, {
    permissions,
  })
  await choose('土壤探头', '乙', '苗圃 / 泵房 · 土壤探头乙')
  await user.click(screen.getByTestId('group-save'))
  await waitFor(() => expect(api.calls(setIrrigationGroup)).toMatchObject([{ settings: { probeIds: ids } }]))
})

test('a sensor that does not measure what is needed is shown with the reason and cannot be chosen', async () => {
  stubLayout()
  const sensors = [{ ...at(21, '水表甲'), parts: [] }, at(22, '流量计乙')]
  await renderPart(
    <SourceForm isOpen node="9" place={source.nestaddr} source={{ ...source, sensors }} onClose={() => {}} />,
    { permissions },
  )
  fireEvent.mouseDown(await screen.findByRole('combobox', { name: '流量计' }))
  const unsuited = await screen.findByTitle('苗圃 / 泵房 · 水表甲 · 不测瞬时流量')
  expect(unsuited.getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByTitle('苗圃 / 泵房 · 流量计乙').getAttribute('aria-disabled')).toBe('false')
})
