import { findGuardedRoute } from '@isotherm/contract/access/routes'
import type { OperationEntry } from '@isotherm/contract/endpoints/administration/operations'
import { type ErrorCode, errors } from '@isotherm/contract/errors'
import { toEntityText } from '@isotherm/contract/locales/change-text'
import { toErrorText } from '@isotherm/contract/locales/error-text'
import { toOperationText } from '@isotherm/contract/locales/operation-text'
import type { TFunction } from 'i18next'
import { z } from 'zod'
import type { Language } from '../../../shared/i18n/language.ts'
import { toPermissionName } from '../keys/permission-text.ts'
import { VISIT } from './log-query.ts'

const visit = z.object({
  kind: z.enum(['visit', 'export']).default('visit'),
  title: z.string(),
  path: z.string(),
})

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errors, code)

/** Parameters of the error are not in the log. */
const withoutPlaceholders = (text: string): string => text.replace(/\{[^}]*\}/g, '…')

/**
 * What an entry records: the name of the call; of a visit also the page in the reader's language, of an export the file.
 */
export function toNameText(entry: OperationEntry, language: Language, t: TFunction<'system'>): string {
  const found = entry.endpoint === VISIT ? visit.safeParse(entry.input) : undefined
  if (!found?.success) return toOperationText(language, entry.endpoint)
  const { kind, title, path } = found.data
  const permission = kind === 'visit' ? findGuardedRoute(path)?.permission : undefined
  if (permission !== undefined) return t('log.visit', { title: toPermissionName(permission, language) })
  return t(`log.${kind}`, { title: title === '' ? path : title })
}

/** Result of an operation in words. */
export const toResultText = (result: string, language: Language, t: TFunction<'system'>): string => {
  if (result === 'ok') return t('log.ok')
  return isErrorCode(result) ? withoutPlaceholders(toErrorText(language, result)) : result
}

/** Kinds of the changed entities with their numbers. */
export function toChangedText(
  { changes, hasMoreChanges }: OperationEntry,
  language: Language,
  t: TFunction<'system'>,
): string {
  const counts = new Map<string, number>()
  for (const { entity } of changes) counts.set(entity, (counts.get(entity) ?? 0) + 1)
  const text = [...counts]
    .map(([entity, count]) => t('log.changedCount', { entity: toEntityText(language, entity), count }))
    .join(', ')
  return hasMoreChanges ? t('log.moreCount', { text }) : text
}
