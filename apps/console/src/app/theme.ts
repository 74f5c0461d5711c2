import { type ThemeConfig, theme } from 'antd'

/** Colours of the console, light and dark. theme.css holds the same colours as CSS variables. */
const light = {
  ground: '#e9edee',
  surface: '#fbfcfc',
  raised: '#ffffff',
  ink: '#1a2428',
  muted: '#5e6d74',
  line: '#d3dbde',
  accent: '#0a6c6c',
  accentSoft: '#dcecec',
  onAccent: '#ffffff',
  good: '#1d7a4c',
  goodSoft: '#dff0e6',
  caution: '#7f5300',
  cautionSoft: '#f8ecd2',
  alarm: '#b3261e',
  alarmSoft: '#f9e1df',
  onAlarm: '#ffffff',
}

const dark: typeof light = {
  ground: '#101619',
  surface: '#182024',
  raised: '#1f292e',
  ink: '#dce5e8',
  muted: '#8fa0a7',
  line: '#2c393f',
  accent: '#37ada5',
  accentSoft: '#17383a',
  onAccent: '#04211f',
  good: '#52b788',
  goodSoft: '#173325',
  caution: '#d9a441',
  cautionSoft: '#382c14',
  alarm: '#f0726a',
  alarmSoft: '#3d1f1d',
  onAlarm: '#2a0806',
}

const fontFamily =
  '"PingFang SC", "Microsoft YaHei", "Noto Sans SC", "Noto Sans CJK SC", "Source Han Sans SC", system-ui, -apple-system, "Segoe UI", sans-serif'

/** Theme of antd, dense and flat: 13 px text, 30 px controls, small radii, hairlines in place of shadows. */
export function toAntTheme(isDark: boolean, hasMotion: boolean): ThemeConfig {
  const colors = isDark ? dark : light
  return {
    algorithm: isDark ? theme.darkAlgorithm : theme.defaultAlgorithm,
    hashed: false,
    token: {
      colorPrimary: colors.accent,
      colorLink: colors.accent,
      colorSuccess: colors.good,
      colorWarning: colors.caution,
      colorError: colors.alarm,
      colorInfo: colors.accent,
      // antd's derived colours would be too dark here.
      colorSuccessBg: colors.goodSoft,
      colorWarningBg: colors.cautionSoft,
      colorErrorBg: colors.alarmSoft,
      colorInfoBg: colors.accentSoft,
      colorTextBase: colors.ink,
      colorBgBase: colors.surface,
      colorTextDescription: colors.muted,
      colorTextPlaceholder: colors.muted,
      colorBgLayout: colors.ground,
      colorBgContainer: colors.surface,
      colorBgElevated: colors.raised,
      colorBorder: colors.line,
      colorBorderSecondary: colors.line,
      fontFamily,
      fontSize: 13,
      controlHeight: 30,
      controlHeightSM: 26,
      borderRadius: 4,
      borderRadiusLG: 6,
      wireframe: false,
      motion: hasMotion,
      motionDurationMid: '0.12s',
      motionDurationSlow: '0.18s',
    },
    components: {
      Table: {
        cellPaddingBlockSM: 5,
        cellPaddingInlineSM: 8,
        cellFontSizeSM: 13,
        headerBg: colors.raised,
        headerSplitColor: 'transparent',
        rowHoverBg: isDark ? '#1f2b30' : '#eef4f4',
      },
      Menu: {
        darkItemBg: 'transparent',
        darkSubMenuItemBg: 'transparent',
        darkPopupBg: '#1d272b',
        darkItemSelectedBg: '#0f5f5f',
        darkItemColor: '#b9c6cb',
        horizontalItemBorderRadius: 4,
        itemSelectedBg: colors.accentSoft,
        itemSelectedColor: colors.accent,
        itemHeight: 34,
        iconMarginInlineEnd: 7,
      },
      Button: {
        defaultShadow: 'none',
        primaryShadow: 'none',
        dangerShadow: 'none',
        primaryColor: colors.onAccent,
        dangerColor: colors.onAlarm,
      },
      // A colour derived from the accent would be hardly visible in the dark theme.
      Slider: {
        railBg: colors.line,
        railHoverBg: colors.line,
        trackBg: colors.accent,
        trackHoverBg: colors.accent,
        handleColor: colors.accent,
        dotBorderColor: colors.line,
        dotActiveBorderColor: colors.accent,
      },
      Breadcrumb: { itemColor: colors.muted, linkColor: colors.muted, separatorColor: colors.muted },
      Form: { itemMarginBottom: 18, verticalLabelPadding: '0 0 4px' },
    },
  }
}
