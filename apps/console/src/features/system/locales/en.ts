import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  modelsys: { title: 'Modules' },
  organsys: { title: 'Organisations' },
  logsys: { title: 'Operation log' },
  interfacesys: { title: 'Interfaces' },
  rolecodesys: { title: 'Role codes' },
  rolesys: { title: 'Roles' },
})
