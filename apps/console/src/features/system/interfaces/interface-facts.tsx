import type { InterfaceItem } from '@isotherm/contract/endpoints/administration/interfaces'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { ChangeHistory } from '../../../shared/records/change-history.tsx'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { toPermissionText } from '../keys/permission-text.ts'
import { toResultText } from '../log/entry-text.ts'
import { toCallers, toMethod, toState } from './interface-text.ts'
import styles from './interfaces.module.css'

/** What an interface is, who may call it, and when it was disabled or enabled. */
export function InterfaceFacts({ item }: { readonly item: InterfaceItem }) {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const { name, kind, address, summary, effect, permissions, errors } = item
  return (
    <>
      <FactList
        className={styles.facts}
        facts={[
          [t('interfaces.raw'), name],
          [t('interfaces.kind'), t(`interfaces.kinds.${kind}`)],
          [t('interfaces.method'), toMethod(item, t)],
          [t('interfaces.address'), address],
          [t('interfaces.summary'), summary],
          ...(effect ? [[t('interfaces.effect'), t(`interfaces.effects.${effect}`)] as const] : []),
          [t('interfaces.state'), toState(item, t)],
          [t('interfaces.access'), toCallers(item, language, t)],
          ...(permissions.length > 0
            ? [
                [
                  t('interfaces.permissions'),
                  permissions.map((permission) => toPermissionText(permission, language)).join(', '),
                ] as const,
              ]
            : []),
          ...(errors.length > 0
            ? [
                [
                  t('interfaces.errors'),
                  <ul key="errors" className={styles.errors}>
                    {errors.map((code) => (
                      <li key={code}>
                        <code>{code}</code> {toResultText(code, language, t)}
                      </li>
                    ))}
                  </ul>,
                ] as const,
              ]
            : []),
        ]}
      />
      {kind === 'http' && <ChangeHistory entity="disabled-interface" entityId={name} />}
    </>
  )
}
