import type { OutputOf } from '@isotherm/contract/endpoint'
import {
  type EarlierDevice,
  getDataBuckets,
  getDataSegments,
} from '@isotherm/contract/endpoints/monitoring/history'
import { getThreeSelectNewRealDev } from '@isotherm/contract/endpoints/monitoring/real-values'
import { getDataHisFromDevs } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { startFakeApi } from '../../../shared/testing/fake-api.testkit.ts'
import { stubLayout, stubObservedSize } from '../../../shared/testing/layout.testkit.ts'
import { type RenderOptions, renderPart } from '../../../shared/testing/render-part.testkit.tsx'
import type { Curve } from '../curves/history-series.ts'
import RthistoryPage from '../rthistory-page.tsx'

const toDevice = (id: number, kind: 'room-sensor' | 'valve') => ({
  device: {
    id,
    imei: `D-${id}`,
    kind,
    name: `设备 ${id}`,
    model: 'T',
    node: 'n1',
    nestaddr: `集团,公司,区域,站,小区,五号楼,2单元,30${id}`,
    periodS: 900,
    description: '',
    use: 'in-use' as const,
    version: 1,
    abilities: [],
  },
})

interface PageOptions extends Pick<RenderOptions, 'language'> {
  readonly earlier?: readonly EarlierDevice[]
  /** Daily or hourly values. */
  readonly buckets?: OutputOf<typeof getDataBuckets>['datalist']
}

async function openPage(address: string, { earlier = [], buckets = [], ...options }: PageOptions = {}) {
  stubLayout()
  stubObservedSize()
  const api = startFakeApi()
  const datalist = [toDevice(1, 'room-sensor'), toDevice(2, 'valve')]
  api.answer(getThreeSelectNewRealDev, { datalist, total: 2 })
  api.answer(getDataHisFromDevs, ({ deviceIds }) => ({
    series: earlier.flatMap(({ of, deviceId, to }) =>
      [of, deviceId]
        .filter((id) => deviceIds.includes(id))
        .map(
          (id): Curve => ({
            deviceId: id,
            metric: 'temp.room',
            points: [[to - 1, 20, 0]],
            downsampled: false,
          }),
        ),
    ),
  }))
  api.answer(getDataSegments, { datalist: [...earlier] })
  api.answer(getDataBuckets, { datalist: buckets })
  await renderPart(<RthistoryPage />, { permissions: ['pr-rthistory'], address, ...options })
  return api
}

test('without a choice the page asks for devices and reads no curves', async () => {
  const api = await openPage('/rtjc/rthistory')
  expect(await screen.findByText('选择一台或几台设备，查看它们的历史曲线')).toBeTruthy()
  expect(api.calls(getDataHisFromDevs)).toEqual([])
})

test('devices of two kinds are found by their ids and drawn with the usual metrics of both', async () => {
  const api = await openPage('/rtjc/rthistory?devices=1,2')
  await waitFor(() =>
    expect(api.calls(getDataHisFromDevs)[0]).toMatchObject({
      deviceIds: [1, 2],
      metrics: ['temp.room', 'valve.opening', 'temp.supply', 'temp.return', 'heat.flow'],
    }),
  )
  expect(api.calls(getThreeSelectNewRealDev)[0]).toMatchObject({ filter: [{ field: 'id', vstd: '1,2' }] })
})

test.each([
  ['zh', /更换设备：.*；此前是旧设备的读数/, /（旧设备 OLD-1）$/],
  ['en', /Device replaced: .*; readings before are those of the old device/, /\(old device OLD-1\)$/],
] as const)(
  'the readings of a replaced device are a part of the history, in %s',
  async (language, note, name) => {
    const now = Date.now()
    const old = { of: 1, deviceId: 77, imei: 'OLD-1', model: 'T', to: now - 60_000 }
    const address = '/rtjc/rthistory?devices=1&range=1h&view=table'
    const api = await openPage(address, { language, earlier: [old] })
    await waitFor(() => expect(api.calls(getDataHisFromDevs)[0]).toMatchObject({ deviceIds: [1, 77] }))
    expect(api.calls(getDataSegments)).toEqual([{ deviceIds: [1] }])
    expect(await screen.findByText(note)).toBeTruthy()
    expect(await screen.findAllByText(name)).toHaveLength(1)
  },
)

test('a value of a day has the date of the plant, also where the reader is a day behind', async () => {
  const [from, to] = [Date.UTC(2026, 1, 1), Date.UTC(2026, 4, 1)]
  // Midnight in China, where the reader of a test in UTC still has 28 March.
  const series = { deviceId: 1, metric: 'temp.room', start: [Date.UTC(2026, 2, 28, 16)] }
  await openPage(`/rtjc/rthistory?devices=1&metrics=temp.room&range=${from}-${to}&view=table`, {
    buckets: [{ ...series, avg: [20], min: [19], max: [21] }],
  })
  expect(await screen.findByText('2026/03/29')).toBeTruthy()
})
