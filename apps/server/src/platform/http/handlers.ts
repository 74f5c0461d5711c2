import type { Endpoint, InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import type { Call, PublicCall } from './call.ts'

/** A public endpoint's handler has no caller to look at. */
type CallOf<E> = E extends { readonly access: { readonly kind: 'public' } } ? PublicCall : Call

export type Handler<E extends Endpoint> = (input: InputOf<E>, call: CallOf<E>) => Promise<OutputOf<E>>

/** A handler for every endpoint of the contract: a missing one does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<(typeof endpoints)[Name]> }

/** The handlers a module contributes. */
export type HandlersOf<Name extends EndpointName> = Pick<Handlers, Name>
