export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
/** 24 hours: days of a calendar with a change of clocks are longer or shorter. */
export const dayMs = 24 * hourMs
