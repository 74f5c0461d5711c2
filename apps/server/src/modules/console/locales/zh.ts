/** Name of the demo's company in the title bar. */
export const demoTitle = '和源热力集团'
