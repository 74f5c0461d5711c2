import { type Endpoint, toUrlPath } from '@isotherm/contract/endpoint'
import { getDevsFromPrjTree } from '@isotherm/contract/endpoints/monitoring/telemetry'
import { getNetworkFigures } from '@isotherm/contract/endpoints/network/network-figures'
import { callFor, signInDirectly } from '../support/api.ts'
import { expect, test } from '../support/test.ts'

test.use({ role: 'dispatcher' })

const inChinese = new Intl.NumberFormat('zh-CN')
const isFor = (endpoint: Endpoint) => (response: { url(): string }) =>
  response.url().endsWith(toUrlPath(endpoint))

test('the home page shows the counts of the server, polls them, and requests no list of devices, nor a push but that of its cold rooms', async ({
  page,
}) => {
  // After a start of the product it takes a while until valves have reported.
  const { second } = await signInDirectly('dispatcher')
  await expect
    .poll(
      async () => {
        const { valves, returnTemps } = await callFor(getNetworkFigures, {}, second)
        return Math.min(valves.online, returnTemps?.count ?? 0)
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(0)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  const answered = () => page.waitForResponse(isFor(getNetworkFigures))
  const [answer] = await Promise.all([answered(), page.goto('/dashboard')])
  const { valves, rooms, returnTemps, stations } = getNetworkFigures.output.parse((await answer.json()).data)
  expect(valves.online).toBeGreaterThan(0)
  expect(returnTemps?.count).toBeGreaterThan(0)
  await expect(page.getByTestId('home-valves')).toContainText(inChinese.format(valves.total))
  await expect(page.getByText(new RegExp(`^在线 [\\d,]+ / ${inChinese.format(rooms.total)}$`))).toBeVisible()
  for (const { device } of stations.datalist)
    await expect(page.getByTestId(`station-${device.id}`)).toContainText('°C')
  await expect(page.getByTestId('home-more-stations')).toHaveCount(0)
  await answered()
  expect(sent.filter((what) => isFor(getDevsFromPrjTree)({ url: () => what }))).toEqual([])
  for (const request of sent.filter((what) => what.includes('"subscribe"'))) {
    const { kinds, deviceIds } = JSON.parse(request)
    expect(kinds).toEqual(['room-sensor'])
    expect(deviceIds.length).toBeGreaterThan(0)
    expect(deviceIds.length).toBeLessThanOrEqual(10)
  }
})
