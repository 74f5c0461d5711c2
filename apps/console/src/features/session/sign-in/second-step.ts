import { ApiError } from '../../../shared/api/api-error.ts'

/** Errors of a login without a code, or with a wrong one. */
const codeErrors: ReadonlySet<string> = new Set(['session.second-factor', 'session.wrong-code'])

/** What a refused login needs before it can succeed. */
export type FurtherStep = 'new-password' | 'code' | 'enrolment'

/** The step that a refused login, or a refused change of a password, needs; undefined for any other failure. */
export function findFurtherStep(error: unknown): FurtherStep | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'session.password-expired') return 'new-password'
  if (error.code === 'session.second-factor-missing') return 'enrolment'
  return codeErrors.has(error.code) ? 'code' : undefined
}
