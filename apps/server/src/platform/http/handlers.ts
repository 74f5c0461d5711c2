import type { Endpoint, InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { Call, PublicCall } from './call.ts'

/** A file for the client: its name and its bytes as a stream. */
export interface FileAnswer {
  readonly fileName: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Media type; default: a workbook. */
  readonly type?: string
  /** Set for a file on the disk, of which a client may request a part. */
  readonly parts?: FileParts
}

/** A file on the disk. */
export interface FileParts {
  readonly totalBytes: number
  /** Changes with the content; with quotation marks, as in the header ETag. */
  readonly etag: string
  /** The client named the version that it wants, so what it gets never changes. */
  readonly isImmutable: boolean
  /** The bytes from `start` to `end`, both included. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** A file from the client as a stream. */
export interface WithUpload {
  readonly upload: AsyncIterable<Buffer>
}

/** A public endpoint's handler gets no caller. */
type CallOf<E> = (E extends { readonly access: { readonly kind: 'public' } } ? PublicCall : Call) &
  (E extends { readonly file?: 'upload' } ? WithUpload : unknown)

type AnswerOf<E extends Endpoint> = E extends { readonly file?: 'download' } ? FileAnswer : OutputOf<E>

export type Handler<E extends Endpoint> = (input: InputOf<E>, call: CallOf<E>) => Promise<AnswerOf<E>>

/** A handler for every endpoint of the contract; a missing handler does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<(typeof endpoints)[Name]> }

/** The handlers of one module. */
export type HandlersOf<Name extends EndpointName> = Pick<Handlers, Name>
