import { uploadReadings } from '@isotherm/contract/endpoints/devices/reading-files'
import { UPLOAD_PART_BYTES } from '@isotherm/contract/endpoints/devices/reading-mapping'
import type { Transfer } from '@isotherm/contract/transfer'
import { upload } from '../../../shared/api/client.ts'

/** A file that is being uploaded; it continues where an earlier attempt failed. */
export interface PartialUpload {
  readonly file: File
  id: number | undefined
  /** Bytes that the server has. */
  done: number
}

/** Longest file name that the server accepts. */
const MAX_NAME = 120

/** Uploads the parts that are missing. `onPart` is called after each. Throws ApiError; call it again to continue. */
export async function uploadParts(
  state: PartialUpload,
  onPart: (done: number) => void,
  signal: AbortSignal,
): Promise<Transfer> {
  const { file } = state
  for (;;) {
    const input = {
      fileName: file.name.slice(-MAX_NAME),
      size: String(file.size),
      from: String(state.done),
      ...(state.id === undefined ? {} : { upload: String(state.id) }),
    }
    const part = file.slice(state.done, state.done + UPLOAD_PART_BYTES)
    const transfer = await upload(uploadReadings, input, part, signal)
    state.id = transfer.id
    state.done += part.size
    onPart(state.done)
    if (transfer.state !== 'uploading') return transfer
  }
}
