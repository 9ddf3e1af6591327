const WORDS = `a about after all also am an and any are as at be because been before being both but by can cannot could
did do does doesn doing don done down each either else etc even ever every few for from further get gets got had has
have having he her here hers him his how however i if in into is isn it its itself just least let like likely ll may me
might more most must my neither no nor not now of off often on once only or other our out over own please rather re
really said same say says seem seems she should since so some still such than thank thanks that the their them then
there these they thing this those through to too try trying twas under until up us use used uses using ve very want
wants was wasn way we well were what when where which while who whom why will with without won would yet you your
issue bug fix fixes fixed problem actual expected behavior behaviour steps reproduce description environment version`;

/** Words of issues that tell nothing about a file; left out of queries, never out of the files' own counts. */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/));
