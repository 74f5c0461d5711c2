import { getMapGroundFile } from '@isotherm/contract/endpoints/network/map'
import type { GroundFile } from '@isotherm/contract/network/map-ground'
import { download } from '../../../shared/api/client.ts'

/** A part of a map file, with the version of the whole as its header ETag. */
export interface GroundPart {
  readonly data: ArrayBuffer
  readonly etag: string | undefined
}

type VersionedFile = Pick<GroundFile, 'file' | 'version'>

/** How the map reads the files of its ground. With its version in the address the browser keeps a file. Throws ApiError. */
export interface GroundReader {
  readText(file: VersionedFile): Promise<string>
  readPart(file: VersionedFile, offset: number, length: number, signal?: AbortSignal): Promise<GroundPart>
}

export const groundReader: GroundReader = {
  async readText({ file, version }) {
    return (await download(getMapGroundFile, { file, version })).content.text()
  },
  async readPart({ file, version }, offset, length, signal) {
    const range = { offset, length }
    const { content, etag } = await download(getMapGroundFile, { file, version }, { range, signal })
    return { data: await content.arrayBuffer(), etag }
  },
}
