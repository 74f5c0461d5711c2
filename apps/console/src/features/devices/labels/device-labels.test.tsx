import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { findInPhoto } from '../../../shared/scan/decode-picture.ts'
import { readCode } from '../../../shared/scan/read-code.ts'
import { readPrinted, stubPictures, takePhoto } from '../../../shared/scan/scan.testkit.ts'
import { sampleDevice } from '../list/device-samples.testkit.ts'
import { DeviceLabels } from './device-labels.tsx'

test('a photo of a printed label names its device', async () => {
  stubPictures()
  render(<DeviceLabels devices={[sampleDevice({ id: 102_345 })]} paper="roll" />)
  const code = screen.getByTestId('device-label').querySelector('svg')
  const text = code ? await findInPhoto(takePhoto(readPrinted(code))) : undefined
  expect(text).toBe(`${location.origin}/dev/devdebug?id=102345`)
  expect(readCode(text ?? '')).toEqual({ kind: 'device', id: 102_345 })
})
