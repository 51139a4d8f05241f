/** Names of time zones that some runtimes support but do not list. */
export const UNLISTED = `Africa/Asmara Africa/Timbuktu America/Argentina/Buenos_Aires America/Argentina/Catamarca
America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/Mendoza America/Atikokan America/Atka America/Ensenada
America/Fort_Wayne America/Indiana/Indianapolis America/Kentucky/Louisville America/Montreal America/Nipigon America/Nuuk
America/Pangnirtung America/Porto_Acre America/Rainy_River America/Rosario America/Santa_Isabel America/Shiprock America/Thunder_Bay
America/Virgin America/Yellowknife Asia/Ashkhabad Asia/Choibalsan Asia/Chongqing Asia/Chungking Asia/Dacca Asia/Harbin
Asia/Ho_Chi_Minh Asia/Kashgar Asia/Kathmandu Asia/Kolkata Asia/Macao Asia/Tel_Aviv Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator
Asia/Yangon Atlantic/Faroe Atlantic/Jan_Mayen Australia/ACT Australia/Canberra Australia/Currie Australia/NSW Australia/North
Australia/Queensland Australia/South Australia/Tasmania Australia/Victoria Australia/West Australia/Yancowinna Brazil/Acre
Brazil/East Brazil/West Canada/Atlantic Canada/Central Canada/Eastern Canada/Mountain Canada/Newfoundland Canada/Pacific
Canada/Saskatchewan Canada/Yukon Europe/Belfast Europe/Kyiv Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye Mexico/General
Pacific/Chuuk Pacific/Johnston Pacific/Kanton Pacific/Pohnpei Pacific/Yap US/Alaska US/Aleutian US/Arizona US/Central US/Eastern
US/Hawaii US/Michigan US/Mountain US/Pacific`;

/** The current names of time zones, by the older names that runtimes list. */
export const RENAMED = `Africa/Asmera=Africa/Asmara America/Buenos_Aires=America/Argentina/Buenos_Aires
America/Catamarca=America/Argentina/Catamarca America/Coral_Harbour=America/Atikokan America/Cordoba=America/Argentina/Cordoba
America/Godthab=America/Nuuk America/Indianapolis=America/Indiana/Indianapolis America/Jujuy=America/Argentina/Jujuy
America/Louisville=America/Kentucky/Louisville America/Mendoza=America/Argentina/Mendoza Asia/Calcutta=Asia/Kolkata
Asia/Katmandu=Asia/Kathmandu Asia/Rangoon=Asia/Yangon Asia/Saigon=Asia/Ho_Chi_Minh Atlantic/Faeroe=Atlantic/Faroe
Europe/Kiev=Europe/Kyiv Pacific/Enderbury=Pacific/Kanton Pacific/Ponape=Pacific/Pohnpei Pacific/Truk=Pacific/Chuuk`;

/**
 * Abbreviations with the zones that use them, most populous first. A zone is written by its city.
 * @see https://data.iana.org/time-zones/tz-link.html
 */
export const ABBREVIATIONS = `ET EST=New_York Toronto Detroit Panama Jamaica
EDT=New_York Toronto Detroit Indianapolis Port-au-Prince
CT CST=Shanghai Chicago Mexico_City Taipei Guatemala
CDT=Chicago Havana Winnipeg Menominee Matamoros
MT MST=Denver Phoenix Edmonton Hermosillo Mazatlan
MDT=Denver Edmonton Ciudad_Juarez Boise
PT PST=Manila Los_Angeles Vancouver Tijuana
PDT=Los_Angeles Vancouver Tijuana
AKST AKDT AKT=Anchorage Juneau Sitka Nome
HST HDT HAST HADT HAT=Honolulu Adak
AST AT=Riyadh Baghdad Santo_Domingo Puerto_Rico Halifax
ADT=Halifax Moncton Bermuda Glace_Bay
NST NDT NT=St_Johns
SST=Pago_Pago Midway
BRT BRST=Sao_Paulo Fortaleza Recife Bahia Belem
ART=Buenos_Aires Cordoba Mendoza
CLT CLST=Santiago
COT=Bogota
PET=Lima
VET=Caracas
BOT=La_Paz
ECT=Guayaquil
UYT=Montevideo
PYT=Asuncion
AMT=Manaus Yerevan Cuiaba
WET WEST=Lisbon Canary Madeira Faroe
BST=Dhaka London Bougainville
IST=Kolkata Jerusalem Dublin
IDT=Jerusalem
CET CEST MET MEST MEZ MESZ=Berlin Paris Rome Madrid Warsaw
EET=Cairo Kyiv Bucharest Athens Beirut
EEST=Cairo Kyiv Bucharest Athens Beirut
MSK MSD МСК=Moscow Simferopol
SAMT=Samara
YEKT=Yekaterinburg
OMST=Omsk
NOVT=Novosibirsk
KRAT=Krasnoyarsk
IRKT=Irkutsk
YAKT=Yakutsk
VLAT=Vladivostok
MAGT=Magadan
PETT=Kamchatka
TRT=Istanbul
AZT=Baku
GET=Tbilisi
GST=Dubai South_Georgia
IRST IRDT=Tehran
AFT=Kabul
PKT=Karachi
UZT=Tashkent
ALMT=Almaty
NPT=Kathmandu
BDT=Dhaka
MMT=Yangon
ICT=Ho_Chi_Minh Bangkok Phnom_Penh Vientiane
WIB=Jakarta Pontianak
WITA=Makassar
WIT=Jayapura
SGT=Singapore
MYT=Kuala_Lumpur Kuching
PHT=Manila
HKT=Hong_Kong
JST=Tokyo
KST=Seoul Pyongyang
AWST=Perth
ACST=Adelaide Darwin
ACDT=Adelaide Broken_Hill
AEST=Sydney Melbourne Brisbane Hobart
AEDT=Sydney Melbourne Hobart
NZST NZDT NZT=Auckland McMurdo
CHST=Guam Saipan
SAST=Johannesburg Maseru Mbabane
EAT=Addis_Ababa Dar_es_Salaam Nairobi Kampala Mogadishu
CAT=Khartoum Maputo Lubumbashi Kigali Lusaka
WAT=Lagos Kinshasa Luanda Douala Niamey`;

/**
 * Cities in the languages of the service whose names `Intl` lacks, and large cities that are not in the name of a zone.
 */
export const CITIES = `Berlin=Берлин|ベルリン|बर्लिन|Munich|Hamburg|Frankfurt|Cologne
London=Лондон|Londres|ロンドン|लंदन|Manchester|Edinburgh
Paris=Париж|パリ|पेरिस
Madrid=Мадрид|マドリード|मैड्रिड|Barcelona|Valencia|Sevilla|Cordoba|Merida|La Rioja
Rome=Рим|Roma|ローマ|रोम|Milan
Vienna=Вена|Viena|ウィーン|वियना
Warsaw=Варшава|Varsovia|ワルシャワ|वारसॉ
Prague=Прага|Praga|プラハ|प्राग
Amsterdam=Амстердам|アムステルダム|एम्स्टर्डम
Brussels=Брюссель|Bruselas|ブリュッセル|ब्रसेल्स
Zurich=Цюрих|チューリッヒ|ज़्यूरिख
Stockholm=Стокгольм|Estocolmo|ストックホルム|स्टॉकहोम
Lisbon=Лиссабон|Lisboa|リスボン|लिस्बन
Athens=Афины|Atenas|アテネ|एथेंस
Kyiv=Киев|Київ|キーウ|キエフ|कीव
Minsk=Минск|ミンスク|मिन्स्क
Istanbul=Стамбул|Estambul|イスタンブール|इस्तांबुल|Ankara
Cairo=Каир|El Cairo|カイロ|काहिरा
Jerusalem=Иерусалим|Jerusalén|エルサレム|यरुशलम
Dubai=Дубай|ドバイ|दुबई|Abu Dhabi
Tehran=Тегеран|テヘラン|तेहरान
Karachi=Карачи|カラチ|कराची
Kolkata=Калькутта|コルカタ|कोलकाता|Delhi|New Delhi|Дели|デリー|ニューデリー|दिल्ली|नई दिल्ली|Mumbai|Bombay|Мумбаи|ムンバイ|मुंबई|Bangalore|Bengaluru|Chennai
Dhaka=Дакка|ダッカ|ढाका
Kathmandu=Катманду|カトマンズ|काठमांडू
Tashkent=Ташкент|タシケント
Almaty=Алма-Ата|Алматы|Astana
Bangkok=Бангкок|バンコク|बैंकॉक
Singapore=Сингапур|Singapur|シンガポール|सिंगापुर
Hong_Kong=Гонконг|香港|ホンコン|हांगकांग
Shanghai=Шанхай|Shanghái|上海|शंघाई|Beijing|Пекин|Pekín|北京|बीजिंग
Taipei=Тайбэй|台北
Tokyo=Токио|Tokio|東京|टोक्यो|Osaka|大阪|Kyoto|京都
Seoul=Сеул|Seúl|ソウル|सियोल
Moscow=Москва|Moscú|モスクワ|मॉस्को|Saint Petersburg|St Petersburg|Petersburg|Санкт-Петербург|Петербург
New_York=Нью-Йорк|Nueva York|ニューヨーク|न्यूयॉर्क|Washington|Boston|Miami|Atlanta|Philadelphia
Chicago=Чикаго|シカゴ|शिकागो|Houston|Dallas
Los_Angeles=Лос-Анджелес|ロサンゼルス|लॉस एंजिल्स|San Francisco|Seattle|Las Vegas|San Diego
Puerto_Rico=San Juan
Vancouver=Ванкувер|バンクーバー|Victoria
Mexico_City=Мехико|Ciudad de México|メキシコシティ|मेक्सिको सिटी
Havana=Гавана|La Habana|ハバナ
Sao_Paulo=Сан-Паулу|サンパウロ|साओ पाउलो|Rio de Janeiro
Buenos_Aires=Буэнос-Айрес|ブエノスアイレス
Johannesburg=Йоханнесбург|Johannesburgo|ヨハネスブルグ|Cape Town
Sydney=Сидней|Sídney|シドニー|सिडनी`;
