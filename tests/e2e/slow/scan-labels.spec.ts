import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { toLaunchOptions } from '../../../tools/product/chromium.ts'
import { addGateway } from '../support/add-gateway.ts'
import { callFor, signInDirectly } from '../support/api.ts'
import { findAccessibilityViolations } from '../support/axe.ts'
import { filmCode, photographCode } from '../support/film-code.ts'
import { expect, test } from '../support/test.ts'

/** Names that no other test and no earlier run uses. */
const unique = randomUUID().slice(0, 8)
/** What the camera shows; it reads the file each time it opens. */
const film = join(tmpdir(), `isotherm-film-${unique}.y4m`)
const options = toLaunchOptions()

test.afterAll(() => rmSync(film, { force: true }))

test.use({
  role: 'maintenance',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  colorScheme: 'dark',
  permissions: ['camera'],
  launchOptions: {
    ...options,
    args: [
      ...options.args,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  },
})

const METER = `M-${unique}`
const METER_NO = `N${unique}`

test('a phone registers a meter at the place of a mounted device by its label, and finds it by its own', {
  tag: '@slow',
}, async ({ page, errors }) => {
  const { meterModel, send } = await addGateway(unique, '扫码网关')
  await send(METER, { 'heat.energy': 1234, 'temp.supply': 48.5, 'temp.return': 38.2, 'heat.flow': 0.81 })
  const { first } = await signInDirectly('administrator')
  const find = async (text: string) =>
    (await callFor(getDevs, { text, kind: 'valve', pageNo: 1, pageSize: 1 }, first)).list[0]
  const mounted = await find('')
  if (!mounted) throw new Error('the demo has no valve')
  await page.goto('/dev/datadevmanager')
  await page.getByTestId('unregistered-open').click()
  const item = page.getByTestId('unregistered-devices').getByRole('listitem').filter({ hasText: METER })
  await item.getByRole('button', { name: '登记' }).click()

  await test.step('the place is that of the label before the camera', async () => {
    // A phone may know the server by another name than the computer that printed the label.
    filmCode(film, `https://heat.example.com/dev/devdebug?id=${mounted.id}`)
    await page.getByTestId('scan-node').click()
    await expect(page.getByTestId('scan-node-device')).toContainText(mounted.imei)
    await expect(page.getByTestId('scan-camera')).toBeHidden()
    await expect(page.getByLabel('位置 *')).toBeVisible()
    await expect(page.locator('.ant-drawer').last()).toContainText(mounted.nestaddr.split(',').join(' / '))
  })

  await test.step('a code without a number is explained, and the dialog stays open', async () => {
    filmCode(film, 'https://maker.example/manual')
    await page.getByTestId('scan-meterNo').click()
    await expect(page.getByTestId('scan-fault')).toContainText('不是设备的二维码')
    expect(await findAccessibilityViolations(page)).toEqual([])
    await page.locator('.ant-modal-close').click()
  })

  await test.step('the meter number is read from the print of the maker, in a photo', async () => {
    filmCode(film)
    await page.getByTestId('scan-meterNo').click()
    await page
      .getByTestId('scan-file')
      .setInputFiles({ name: 'photo.gif', mimeType: 'image/gif', buffer: photographCode(`表号:${METER_NO}`) })
    await expect(page.getByTestId('field-meterNo')).toHaveValue(METER_NO)
  })

  await page.getByTestId('field-modelId').click()
  await page.locator('.ant-select-item-option', { hasText: meterModel.name }).first().click()
  await page.getByTestId('form-save').click()
  await expect(page.getByText(`热量表 ${METER} 已登记`)).toBeVisible()
  const { list } = await callFor(getDevs, { text: METER, pageNo: 1, pageSize: 1 }, first)
  expect(list).toMatchObject([{ imei: METER, node: mounted.node, meterNo: METER_NO }])

  await test.step('its own label opens its page from the palette', async () => {
    filmCode(film, `${new URL(page.url()).origin}/dev/devdebug?id=${list[0]?.id}`)
    await page.goto('/dashboard')
    await page.getByTestId('palette-open').click()
    await page.getByTestId('palette-scan').click()
    await expect(page).toHaveURL(/\/dev\/devdebug\?id=\d+$/)
    await expect(page.getByRole('main')).toContainText(METER)
  })
  expect(errors).toEqual([])
})
