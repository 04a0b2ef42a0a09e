#!/bin/sh
# A source: reports the temperature that another program leaves in a file, once it changes.
#
#     sources: { wrist: { use: "exec", command: ["/usr/local/bin/temperature.sh", "/run/wrist"] } }
#
# The file has one number, in degrees Celsius. Nothing has to be installed.

file=${1:?the file with the temperature is missing}
last=

echo '{"reading":"identity","manufacturer":"Example","model":"Wrist"}'

# The gateway closes the standard input when the program is to end.
exec 3<&0
{ cat <&3 > /dev/null; kill $$; } &

while :; do
    value=$(cat "$file" 2> /dev/null)
    if [ -n "$value" ] && [ "$value" != "$last" ]; then
        printf '{"reading":"instant","type":"bodyTemperature","value":%s,"unit":"degC"}\n' "$value"
        last=$value
    fi
    sleep 1
done
