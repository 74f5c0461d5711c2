import { dtuListener, gatewayConfig, pushListener } from '@isotherm/contract/gateway-config'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './config.module.css'
import { describeFields } from './draft/describe-fields.ts'
import { listAt } from './draft/draft.ts'
import type { Editor } from './draft/editor.ts'
import { listenerOf } from './draft/new-line.ts'
import { ObjectFields } from './object-fields.tsx'

const schemas = { dtu: dtuListener, push: pushListener } as const

/** Settings of the whole gateway. */
const common = describeFields(gatewayConfig).filter(({ kind }) => kind === 'number')

/** What all lines of a gateway share: where units and platforms connect, and times. */
export function Listeners({ editor }: { readonly editor: Editor }) {
  const { t } = useTranslation('devices')
  const { draft } = editor
  const needed = new Set(
    listAt(draft, ['lines']).flatMap(({ driver }) => {
      const [, listener] = Object.entries(listenerOf).find(([name]) => name === driver) ?? []
      return listener ?? []
    }),
  )
  const shown = (['dtu', 'push'] as const).filter((name) => needed.has(name) || draft[name] !== undefined)
  const own = listAt(draft, ['profiles']).length
  return (
    <section className={styles.view} aria-label={t('config.settings')}>
      <h3>{t('config.settings')}</h3>
      {shown.map((name) => (
        <fieldset key={name} className={styles.group}>
          <legend>{t(`config.field.${name}`)}</legend>
          <ObjectFields fields={describeFields(schemas[name])} path={[name]} editor={editor} />
          {!needed.has(name) && (
            <Button onClick={() => editor.change([name], undefined)}>{t('config.removeListener')}</Button>
          )}
        </fieldset>
      ))}
      <ObjectFields fields={common} path={[]} editor={editor} />
      {own > 0 && <p className={styles.meta}>{t('config.ownProfiles', { count: own })}</p>}
    </section>
  )
}
