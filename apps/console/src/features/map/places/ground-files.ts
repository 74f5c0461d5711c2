import { getMapGroundFile } from '@isotherm/contract/endpoints/network/map'
import { download } from '../../../shared/api/client.ts'

/** A part of a map file, with the version of the whole as its header ETag. */
export interface GroundPart {
  readonly data: ArrayBuffer
  readonly etag: string | undefined
}

/** How the map reads the files of its ground. Throws ApiError. */
export interface GroundReader {
  readText(file: string): Promise<string>
  readPart(file: string, offset: number, length: number, signal?: AbortSignal): Promise<GroundPart>
}

export const groundReader: GroundReader = {
  async readText(file) {
    return (await download(getMapGroundFile, { file })).content.text()
  },
  async readPart(file, offset, length, signal) {
    const range = { offset, length }
    const { content, etag } = await download(getMapGroundFile, { file }, { range, signal })
    return { data: await content.arrayBuffer(), etag }
  },
}
