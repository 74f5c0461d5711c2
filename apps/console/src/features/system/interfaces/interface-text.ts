import type { InterfaceItem } from '@isotherm/contract/endpoints/administration/interfaces'
import { toRoleName } from '@isotherm/contract/locales/access/role-names'
import { toOperationText } from '@isotherm/contract/locales/operation-text'
import { downChannels, upChannels } from '@isotherm/contract/mqtt'
import type { TFunction } from 'i18next'
import type { Language } from '../../../shared/i18n/language.ts'

const topics = [
  ...upChannels.map((name) => `up/${name}` as const),
  ...downChannels.map((name) => `down/${name}` as const),
  'live' as const,
]

/** Name of an interface in the language. */
export function toInterfaceName({ name }: InterfaceItem, language: Language, t: TFunction<'system'>): string {
  const topic = topics.find((each) => each === name)
  return topic === undefined ? toOperationText(language, name) : t(`interfaces.topics.${topic}`)
}

/** Who may call an interface: the roles that have one of its permissions, else the kind of callers. */
export function toCallers(
  { access, roles }: InterfaceItem,
  language: Language,
  t: TFunction<'system'>,
): string {
  if (access !== 'permission') return t(`interfaces.accesses.${access}`)
  return roles.length === 0
    ? t('interfaces.noRole')
    : roles.map((role) => toRoleName(language, role)).join(', ')
}

export const toMethod = ({ method }: InterfaceItem, t: TFunction<'system'>): string =>
  method === 'up' || method === 'down' ? t(`interfaces.methods.${method}`) : method

export const toState = ({ enabled }: InterfaceItem, t: TFunction<'system'>): string =>
  t(enabled ? 'interfaces.enabled' : 'interfaces.disabled')
