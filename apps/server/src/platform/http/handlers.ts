import type { Endpoint, InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { Call, PublicCall } from './call.ts'

/** A file on its way to the client: its name, and its bytes as they are made. */
export interface FileAnswer {
  readonly fileName: string
  readonly bytes: AsyncIterable<Uint8Array>
  /** Media type; a workbook's when absent. */
  readonly type?: string
}

/** A file on its way here, not longer than the handler reads it. */
export interface WithUpload {
  readonly upload: AsyncIterable<Buffer>
}

/** A public endpoint's handler has no caller to look at. */
type CallOf<E> = (E extends { readonly access: { readonly kind: 'public' } } ? PublicCall : Call) &
  (E extends { readonly file?: 'upload' } ? WithUpload : unknown)

type AnswerOf<E extends Endpoint> = E extends { readonly file?: 'download' } ? FileAnswer : OutputOf<E>

export type Handler<E extends Endpoint> = (input: InputOf<E>, call: CallOf<E>) => Promise<AnswerOf<E>>

/** A handler for every endpoint of the contract: a missing one does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<(typeof endpoints)[Name]> }

/** The handlers a module contributes. */
export type HandlersOf<Name extends EndpointName> = Pick<Handlers, Name>
