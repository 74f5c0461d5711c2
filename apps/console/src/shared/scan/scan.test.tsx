import type { Device } from '@isotherm/contract/devices'
import { getDevice, getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { getPlace } from '@isotherm/contract/endpoints/network/tree'
import { toImei } from '@isotherm/kernel/imei'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { SchemaForm } from '../form/schema-form.tsx'
import { type FakeApi, startFakeApi } from '../testing/fake-api.testkit.ts'
import { renderPart } from '../testing/render-part.testkit.tsx'
import {
  countLooks,
  hold,
  mounted,
  refuseCamera,
  stubCamera,
  stubPictures,
  takePhoto,
  toModules,
} from './scan.testkit.ts'

const IMEI = toImei('86772403000001')
const LABEL = 'https://another.example/dev/devdebug?id=42'

const schema = z.object({ imei: z.string(), radioImei: z.string().optional(), node: z.string() })

async function openForm() {
  stubPictures()
  const api = startFakeApi()
  api.answer(getDevice, mounted)
  api.answer(getDevs, ({ text }) => {
    const list = [mounted].filter(({ imei, meterNo }) => imei.includes(text ?? '') || meterNo === text)
    return { list, total: list.length }
  })
  const saved: unknown[] = []
  const { user } = await renderPart(
    <SchemaForm
      schema={schema}
      fields={[
        { name: 'node', label: '位置', control: 'node', isScanned: true },
        { name: 'imei', label: '编号', control: 'text', scanned: 'serial' },
        { name: 'radioImei', label: 'IMEI', control: 'text', scanned: 'imei' },
      ]}
      initial={{}}
      submit="保存"
      onSave={async (input) => saved.push(input)}
      onDone={() => undefined}
      onCancel={() => undefined}
    />,
  )
  return { api, user, saved }
}

/** Opens the scan of a field and gives it a photo. */
async function scanPhoto(field: string, file: File): Promise<void> {
  fireEvent.click(screen.getByTestId(`scan-${field}`))
  fireEvent.change(await screen.findByTestId('scan-file'), { target: { files: [file] } })
}

const readField = (field: string) => screen.getByTestId<HTMLInputElement>(`field-${field}`).value

test('the camera reads a serial, and is off when the dialog has closed', async () => {
  const count = stubCamera()
  await openForm()
  fireEvent.click(screen.getByTestId('scan-imei'))
  await screen.findByTestId('scan-camera')
  hold(toModules('https://maker.example/manual'))
  expect((await screen.findByTestId('scan-fault')).textContent).toContain('不是设备的二维码')
  hold(toModules(`SN:HV25-7;IMEI:${IMEI}`))
  await waitFor(() => expect(readField('imei')).toBe('HV25-7'))
  await waitFor(() => expect(count()).toEqual({ opened: 1, closed: 1 }))
})

test('the camera is read by one canvas, which is emptied at the end; a failed look is followed by others', async () => {
  stubCamera()
  const { user } = await openForm()
  const made = vi.spyOn(document, 'createElement')
  const getContext = vi.mocked(HTMLCanvasElement.prototype.getContext)
  getContext.mockReturnValueOnce(null)
  getContext.mockImplementationOnce(() => {
    throw new DOMException('no memory', 'InvalidStateError')
  })
  const looks = countLooks()
  fireEvent.click(screen.getByTestId('scan-imei'))
  await screen.findByTestId('scan-camera')
  await waitFor(() => expect(looks()).toBeGreaterThan(2))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByTestId('scan-camera')).toBeNull())
  const canvases = made.mock.results
    .map(({ value }) => value)
    .filter((each) => each instanceof HTMLCanvasElement)
  expect(canvases.map(({ width, height }) => [width, height])).toEqual([[0, 0]])
})

test('a camera that opens after the dialog was closed is switched off', async () => {
  const ready = Promise.withResolvers<void>()
  const count = stubCamera(ready.promise)
  const { user } = await openForm()
  fireEvent.click(screen.getByTestId('scan-imei'))
  await screen.findByTestId('scan-camera')
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByTestId('scan-camera')).toBeNull())
  ready.resolve()
  await waitFor(() => expect(count()).toEqual({ opened: 1, closed: 1 }))
})

/** Keeps the answer about a mounted device back until it is released. */
function holdLabelled(api: FakeApi) {
  const held = Promise.withResolvers<Device>()
  api.answer(getDevice, () => held.promise)
  return () => held.resolve(mounted)
}

test('a place that is found after the dialog was closed is not chosen', async () => {
  const { api, user } = await openForm()
  const release = holdLabelled(api)
  await scanPhoto('node', takePhoto(toModules(LABEL)))
  await waitFor(() => expect(api.calls(getDevice)).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByTestId('scan-photo')).toBeNull())
  release()
  // A later scan is chosen, so the released answer was handled before.
  await scanPhoto('imei', takePhoto(toModules('HV25-7')))
  await waitFor(() => expect(readField('imei')).toBe('HV25-7'))
  expect(screen.queryByText('集团 / 阳光小区 / 3号楼')).toBeNull()
})

test('while a label is looked up, the camera takes no other code; a photo replaces it', async () => {
  stubCamera()
  const { api } = await openForm()
  const release = holdLabelled(api)
  fireEvent.click(screen.getByTestId('scan-node'))
  await screen.findByTestId('scan-camera')
  hold(toModules(LABEL))
  await waitFor(() => expect(api.calls(getDevice)).toHaveLength(1))
  const looks = countLooks()
  hold(toModules('SN:X-9'))
  await waitFor(() => expect(looks()).toBeGreaterThan(2))
  expect(api.calls(getDevs)).toEqual([])
  // After the photo the camera would take its code.
  hold()
  const files = [takePhoto(toModules('SN:X-8'))]
  fireEvent.change(screen.getByTestId('scan-file'), { target: { files } })
  expect((await screen.findByTestId('scan-fault')).textContent).toContain('X-8')
  release()
  fireEvent.change(screen.getByTestId('scan-file'), { target: { files: [takePhoto()] } })
  await waitFor(() => expect(screen.getByTestId('scan-fault').textContent).toContain('照片中没有找到'))
  expect(screen.queryByText('集团 / 阳光小区 / 3号楼')).toBeNull()
})

test('a page without HTTPS says that it gets no camera, and reads a photo', async () => {
  await openForm()
  fireEvent.click(screen.getByTestId('scan-imei'))
  expect((await screen.findByTestId('scan-no-camera')).textContent).toContain(
    '浏览器只在 HTTPS 页面上开放摄像头',
  )
  expect(screen.queryByText(/放在框内/)).toBeNull()
  fireEvent.change(screen.getByTestId('scan-file'), { target: { files: [takePhoto(toModules(IMEI))] } })
  await waitFor(() => expect(readField('imei')).toBe(IMEI))
})

test.each([
  ['NotAllowedError', '请在浏览器的网站设置中允许使用摄像头'],
  ['NotFoundError', '此设备没有摄像头'],
  ['NotReadableError', '摄像头无法打开'],
])('a camera that fails with %s is explained', async (name, text) => {
  refuseCamera(name)
  await openForm()
  fireEvent.click(screen.getByTestId('scan-imei'))
  expect((await screen.findByTestId('scan-no-camera')).textContent).toContain(text)
})

test.each<readonly [string, string, () => File, string]>([
  ['a photo without a code', 'imei', () => takePhoto(), '照片中没有找到二维码'],
  ['a file that is no picture', 'imei', () => new File(['%PDF'], 'a.pdf'), '无法读取该文件'],
  ['a code without an IMEI', 'radioImei', () => takePhoto(toModules('SN:HV25-7')), '二维码中没有 IMEI'],
  [
    'the label of a registered device',
    'imei',
    () => takePhoto(toModules(LABEL)),
    '已登记设备的标签：集团 / 阳光小区 / 3号楼 / 入户阀（V-301）',
  ],
  ['a device that is not registered', 'node', () => takePhoto(toModules('SN:X-9')), '没有找到该设备'],
])('%s is explained, and the dialog stays', async (_what, field, toFile, text) => {
  await openForm()
  await scanPhoto(field, toFile())
  expect((await screen.findByTestId('scan-fault')).textContent).toContain(text)
  expect(screen.getByTestId('scan-photo')).toBeTruthy()
})

test.each([
  ['its label', LABEL],
  ['its serial', 'V-301'],
  ['its meter number', '表号：12345678'],
])('the place of a mounted device is chosen by %s', async (_what, text) => {
  const { user, saved } = await openForm()
  await scanPhoto('node', takePhoto(toModules(text)))
  expect(await screen.findByText('集团 / 阳光小区 / 3号楼')).toBeTruthy()
  expect(screen.getByTestId('scan-node-device').textContent).toBe('取自设备：入户阀（V-301）')
  await user.type(screen.getByTestId('field-imei'), 'HV25-7')
  fireEvent.click(screen.getByTestId('form-save'))
  await waitFor(() => expect(saved).toEqual([{ node: 'n5', imei: 'HV25-7' }]))
})

test('the label of a device that the user may not see says so', async () => {
  const { api } = await openForm()
  api.refuse(getDevice, { code: 'device.not-found', text: '设备不存在或无权查看' })
  await scanPhoto('node', takePhoto(toModules(LABEL)))
  expect((await screen.findByTestId('scan-fault')).textContent).toBe('设备不存在或无权查看')
})

test('the label of a place is chosen as the place, without a device', async () => {
  const { api } = await openForm()
  const node = '0b4c7bf2-1a4f-4f6e-9a55-0a6f3c1d2e3f-L2-1单元-301'
  api.answer(getPlace, { node, name: '301', nestaddr: '集团,阳光小区,3号楼,1单元,301' })
  const label = `https://heat.example/dev/devdebug?node=${encodeURIComponent(node)}`
  await scanPhoto('node', takePhoto(toModules(label)))
  expect(await screen.findByText('集团 / 阳光小区 / 3号楼 / 1单元 / 301')).toBeTruthy()
  expect(api.calls(getPlace)).toEqual([{ node }])
  expect(screen.queryByTestId('scan-node-device')).toBeNull()
})
