import { z } from 'zod'
import { errorParams } from './errors.ts'

/** What both envelopes contain if a call fails: the error code and the parameters of its text. */
const failure = {
  code: z.string().optional(),
  params: errorParams.optional(),
}

/** Envelope of the first backend: success is info "ok" with status 0. */
export const usrCloudEnvelope = z.object({
  info: z.string(),
  status: z.number().int(),
  data: z.unknown().optional(),
  ...failure,
})
export type UsrCloudEnvelope = z.infer<typeof usrCloudEnvelope>

/** Envelope of the second backend: success is message "success" with the text status "200". */
export const htApiEnvelope = z.object({
  message: z.string(),
  status: z.string(),
  data: z.unknown().optional(),
  ...failure,
})
export type HtApiEnvelope = z.infer<typeof htApiEnvelope>
