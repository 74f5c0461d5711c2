import type { IrrigationSource } from '@isotherm/contract/irrigation'
import { useTranslation } from 'react-i18next'
import styles from './field-map.module.css'
import { FIELD_WIDTH, layOutField, type ValveLook } from './lay-out-field.ts'

const looks = [
  'open',
  'moving',
  'waiting',
  'closed',
  'stuck',
  'unknown',
] as const satisfies readonly ValveLook[]

/** The valves of a source where they are, with what they do now. The positions are those of the map of the network. */
export function FieldMap({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const { groups, height } = layOutField(source)
  if (groups.length === 0) return null
  const shown = new Set(groups.flatMap(({ valves }) => valves.map(({ look }) => look)))
  return (
    <section>
      <h3>{t('fieldMap')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide map is scrolled by keyboard */}
      <section className={styles.frame} tabIndex={0} aria-label={t('fieldMap')}>
        <svg
          className={styles.map}
          viewBox={`0 0 ${FIELD_WIDTH} ${height}`}
          role="img"
          aria-label={t('fieldMapOf', {
            open:
              groups
                .filter(({ isOpen }) => isOpen)
                .map(({ name }) => name)
                .join(' · ') || t('noRuns'),
          })}
          data-testid="irrigation-map"
        >
          {groups.map((group) => (
            <g key={group.id} data-open={group.isOpen}>
              {group.valves.map(({ deviceId, name, look, x, y }) => (
                <circle key={deviceId} className={styles.valve} data-look={look} cx={x} cy={y} r={7}>
                  <title>{`${group.name} · ${name} · ${t(`look.${look}`)}`}</title>
                </circle>
              ))}
              <text
                className={styles.name}
                x={group.x}
                y={group.y > height / 2 ? group.y + 32 : group.y - 24}
                textAnchor="middle"
              >
                {group.name}
              </text>
            </g>
          ))}
        </svg>
      </section>
      <ul className={styles.legend}>
        {looks
          .filter((look) => shown.has(look))
          .map((look) => (
            <li key={look}>
              <svg viewBox="0 0 16 16" width={16} height={16} aria-hidden>
                <circle className={styles.valve} data-look={look} cx={8} cy={8} r={6} />
              </svg>
              {t(`look.${look}`)}
            </li>
          ))}
      </ul>
    </section>
  )
}
